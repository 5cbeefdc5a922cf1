from pathlib import Path

import pytest

from agent import Choice
from bot.messages import Reply, ReplyFile, Status
from bot.platforms.page_archive import PageArchive
from bot.platforms.page_files import PageFiles
from bot.platforms.page_threads import PageReply, PageThreads
from tests.fakes.recording_platform import NOW, a_thread


def page_threads(folder: Path) -> PageThreads:
    return PageThreads(lambda: NOW, PageArchive(folder))


def a_reply(*choices: str) -> Reply:
    return Reply(
        a_thread(), Status.CLARIFICATION, "Which?", choices=tuple(Choice(c, c) for c in choices)
    )


def test_a_thread_is_titled_by_its_first_question(tmp_path: Path) -> None:
    threads = page_threads(tmp_path)
    thread = threads.start()

    threads.ask(thread, "power of\n" + "node " * 40)
    threads.ask(thread, "and yesterday?")

    title = threads.newest_first()[0].title
    assert title.startswith("power of node node")
    assert len(title) == 80


def test_the_thread_that_was_used_last_comes_first(tmp_path: Path) -> None:
    threads = page_threads(tmp_path)
    first, second = threads.start(), threads.start()
    for thread in (first, second, first):
        threads.ask(thread, "power")

    assert [thread.id for thread in threads.newest_first()] == [first, second]


def test_every_change_gives_a_new_version(tmp_path: Path) -> None:
    threads = page_threads(tmp_path)
    thread = threads.start()
    versions = [thread_now.version for thread_now in [threads.get(thread)] if thread_now]

    for change in (
        lambda: threads.ask(thread, "power"),
        lambda: threads.note(thread, "reading"),
        lambda: threads.reply(thread, a_reply("a")),
        lambda: threads.choose(thread, "a"),
    ):
        change()
        now = threads.get(thread)
        assert now is not None
        versions.append(now.version)

    assert versions == sorted(set(versions))


def test_a_choice_can_be_made_once(tmp_path: Path) -> None:
    threads = page_threads(tmp_path)
    thread = threads.start()
    threads.ask(thread, "which")
    threads.reply(thread, a_reply("a", "b"))

    made = [threads.choose(thread, choice) for choice in ("c", "a", "a", "b")]

    assert made == [False, True, False, False]


def test_a_choice_is_too_late_once_something_else_was_asked(tmp_path: Path) -> None:
    threads = page_threads(tmp_path)
    thread = threads.start()
    threads.ask(thread, "which")
    threads.reply(thread, a_reply("a", "b"))
    threads.ask(thread, "something else")

    assert not threads.choose(thread, "a")


@pytest.mark.parametrize("thread", ["", "unknown", "../../etc/passwd"])
def test_an_unknown_thread_is_refused(tmp_path: Path, thread: str) -> None:
    threads = page_threads(tmp_path)

    assert not threads.ask(thread, "power")
    assert not threads.choose(thread, "a")
    assert not threads.reply(thread, a_reply())
    assert threads.get(thread) is None


def test_threads_outlive_a_restart_with_their_choices_and_files(tmp_path: Path) -> None:
    threads = page_threads(tmp_path)
    thread = threads.start()
    threads.ask(thread, "which")
    file = ReplyFile("p.png", Path("/answers/p.png"), "image/png", "Power")
    threads.reply(thread, Reply(a_thread(), Status.COMPLETED, "x", files=(file,)))
    threads.ask(thread, "which")
    threads.reply(thread, a_reply("a", "b"))

    again = page_threads(tmp_path).newest_first()

    assert [kept.id for kept in again] == [thread]
    assert [choice.id for choice in again[0].open_choices] == ["a", "b"]
    reply = again[0].entries[1]
    assert isinstance(reply, PageReply)
    assert reply.reply.files == (file,)


def test_a_damaged_file_costs_only_its_own_thread(tmp_path: Path) -> None:
    threads = page_threads(tmp_path)
    kept = threads.start()
    threads.ask(kept, "power")
    (tmp_path / "damaged.json").write_text('{"version": 1, "entries": [{')
    (tmp_path / "future.json").write_text('{"version": 99, "entries": []}')

    assert [thread.id for thread in page_threads(tmp_path).newest_first()] == [kept]


def test_a_file_of_the_first_form_is_read(tmp_path: Path) -> None:
    asked = '{"text":"power","at":"2022-06-15T10:00:00Z"}'
    (tmp_path / "kept.json").write_text(f'{{"version":1,"entries":[{asked}]}}')

    (thread,) = page_threads(tmp_path).newest_first()

    assert thread.title == "power"


def test_the_oldest_of_too_many_threads_is_forgotten_on_disk_too(tmp_path: Path) -> None:
    threads = page_threads(tmp_path)
    for number in range(202):
        threads.ask(threads.start(), str(number))

    titles = [thread.title for thread in threads.newest_first()]

    assert (len(titles), titles[0], titles[-1]) == (200, "201", "2")
    assert len(list(tmp_path.glob("*.json"))) == 200


def test_hands_out_files_of_its_folder_only(tmp_path: Path) -> None:
    answers, secret = tmp_path / "answers", tmp_path / "secret.csv"
    answers.mkdir()
    secret.write_text("secret")
    inside, link = answers / "a.csv", answers / "link.csv"
    inside.write_text("x")
    link.symlink_to(secret)
    files = PageFiles(answers)

    ids = [
        files.id_of(ReplyFile(path.name, path, "text/csv", ""))
        for path in (inside, link, secret, answers / ".." / "secret.csv", answers)
    ]

    assert ids[0] is not None
    assert ids[1:] == [None] * 4
    assert files.get("../secret.csv") is None


def test_a_file_that_became_a_link_is_no_longer_handed_out(tmp_path: Path) -> None:
    (tmp_path / "answers").mkdir()
    path, secret = tmp_path / "answers" / "a.csv", tmp_path / "secret.csv"
    path.write_text("x")
    secret.write_text("secret")
    files = PageFiles(tmp_path / "answers")
    known = files.id_of(ReplyFile(path.name, path, "text/csv", ""))
    assert known is not None

    path.unlink()
    path.symlink_to(secret)

    assert files.get(known) is None
