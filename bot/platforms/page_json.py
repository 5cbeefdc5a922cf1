"""Threads of the page as the JSON objects that its script reads."""

from bot.messages import Reply, ReplyFile, ReplyTable
from bot.platforms.page_files import PageFiles
from bot.platforms.page_threads import PageQuestion, PageReply, PageThread

Json = dict[str, object]


def thread_json(thread: PageThread, files: PageFiles) -> Json:
    """``thread`` with everything that was said in it."""
    open_ids = {choice.id for choice in thread.open_choices}
    last = len(thread.entries) - 1
    return {
        "id": thread.id,
        "title": thread.title,
        "version": thread.version,
        "working": list(thread.working),
        "entries": [
            _question(entry)
            if isinstance(entry, PageQuestion)
            else _reply(entry, files, open_ids if number == last else set())
            for number, entry in enumerate(thread.entries)
        ],
    }


def listing_json(threads: list[PageThread]) -> list[Json]:
    """``threads`` for the list at the side."""
    return [{"id": t.id, "title": t.title, "working": bool(t.working)} for t in threads]


def _question(entry: PageQuestion) -> Json:
    return {"from": "person", "text": entry.text}


def _reply(entry: PageReply, files: PageFiles, open_ids: set[str]) -> Json:
    reply: Reply = entry.reply
    return {
        "from": "bot",
        "status": reply.status.value,
        "text": reply.markdown,
        "tables": [_table(table, files) for table in reply.tables],
        "files": [_file(file, files) for file in reply.files],
        "choices": [
            {
                "id": choice.id,
                "label": choice.label,
                "open": choice.id in open_ids,
                "chosen": choice.id == entry.chosen,
            }
            for choice in reply.choices
        ],
        "facts": [
            {"label": fact.label, "lines": list(fact.lines), "kind": fact.kind.value}
            for fact in reply.facts
        ],
    }


def _table(table: ReplyTable, files: PageFiles) -> Json:
    return {
        "name": table.name,
        "columns": list(table.columns),
        "rows": [list(row) for row in table.rows],
        "numeric": list(table.numeric),
        "row_count": table.row_count,
        "csv": _file(table.csv, files),
    }


def _file(file: ReplyFile, files: PageFiles) -> Json:
    file_id = files.id_of(file)
    return {
        "name": file.name,
        "title": file.title,
        "picture": file.is_picture,
        "url": f"/files/{file_id}" if file_id else None,
    }
