"""Votes: one a person and answer, changed at will, with a reason where it was of no help."""

import json
from pathlib import Path

from bot.buttons.voting import REASONS, WHY
from bot.messages import Act
from bot.vote_file import VoteFile
from tests.unit.bot.buttons.button_setting import ADA, BEN, Setting, a_click


def test_a_vote_is_counted_and_its_author_thanked() -> None:
    setting = Setting()
    record = setting.answered()

    setting.buttons.act(a_click(record, Act.HELPFUL))

    (vote,) = setting.heard.votes
    assert (vote.trace_id, vote.user, vote.helpful) == (record.trace_id, ADA, True)
    assert setting.told(ADA) == ["Thank you, noted: helpful."]


def test_a_bad_vote_counts_at_once_and_is_asked_why() -> None:
    setting = Setting()

    setting.buttons.act(a_click(setting.answered(), Act.UNHELPFUL))

    assert [(vote.helpful, vote.reason) for vote in setting.heard.votes] == [(False, "")]
    assert setting.told(ADA) == [WHY]


def test_the_reason_that_is_chosen_belongs_to_the_vote() -> None:
    setting = Setting()
    record = setting.answered()

    setting.buttons.act(a_click(record, Act.UNHELPFUL, number=1))
    setting.buttons.act(a_click(record, Act.UNHELPFUL, "number", number=2))

    assert setting.heard.votes[-1].reason == "number"
    assert setting.told(ADA)[-1] == "Thank you, noted: not helpful (a number is wrong)."


def test_a_vote_can_be_changed_and_the_same_one_counts_once() -> None:
    setting = Setting()
    record = setting.answered()

    setting.buttons.act(a_click(record, Act.HELPFUL, number=1))
    setting.elsewhere().buttons.act(a_click(record, Act.HELPFUL, number=2))
    setting.buttons.act(a_click(record, Act.UNHELPFUL, number=3))
    setting.buttons.act(a_click(record, Act.UNHELPFUL, number=4))

    assert [vote.helpful for vote in setting.heard.votes] == [True, False]
    assert setting.told(ADA)[1] == "That is noted already: helpful."
    kept = setting.votes.of(record.trace_id, ADA)
    assert kept is not None
    assert not kept.helpful


def test_each_person_has_a_vote() -> None:
    setting = Setting()
    record = setting.answered()

    setting.buttons.act(a_click(record, Act.HELPFUL, author=ADA, number=1))
    setting.buttons.act(a_click(record, Act.HELPFUL, author=BEN, number=2))

    assert [vote.user for vote in setting.heard.votes] == [ADA, BEN]


def test_a_reason_that_is_none_of_ours_is_none() -> None:
    setting = Setting()

    setting.buttons.act(a_click(setting.answered(), Act.UNHELPFUL, "made up"))

    assert setting.heard.votes[0].reason == ""


def test_the_reasons_fit_a_menu() -> None:
    assert len({reason.id for reason in REASONS}) == len(REASONS)


def test_votes_stand_in_a_file_with_the_trace_id(tmp_path: Path) -> None:
    setting = Setting()
    record = setting.answered()
    setting.buttons.act(a_click(record, Act.UNHELPFUL, "slow"))
    file = VoteFile(tmp_path / "data" / "votes.jsonl")

    for _ in range(2):
        file.voted(setting.heard.votes[0])

    lines = [json.loads(line) for line in file.path.read_text().splitlines()]
    assert len(lines) == 2
    assert lines[0]["trace_id"] == record.trace_id
    assert (lines[0]["helpful"], lines[0]["reason"]) == (False, "slow")


def test_a_vote_that_cannot_be_written_breaks_nothing(tmp_path: Path) -> None:
    setting = Setting()
    setting.buttons.act(a_click(setting.answered(), Act.HELPFUL))
    (tmp_path / "in the way").write_text("")

    VoteFile(tmp_path / "in the way" / "votes.jsonl").voted(setting.heard.votes[0])
