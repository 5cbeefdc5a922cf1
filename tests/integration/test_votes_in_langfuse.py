"""Votes arrive in Langfuse as scores of the traces that they are about."""

from dataclasses import replace
from pathlib import Path

from bot.buttons.voting import Vote
from bot.buttons_wiring import who_hears_votes
from bot.settings import Settings
from bot.trace_step import trace_id_of
from tests.fakes.langfuse_server import LangfuseServer, receiving
from tests.fakes.recording_platform import NOW

TURN = "0123456789abcdef"
VOTE = Vote(TURN, "slack", "T1/C1", "U1", helpful=True, reason="", at=NOW)


def settings_for(langfuse: LangfuseServer, data: Path) -> Settings:
    trace = {
        "langfuse_url": langfuse.url,
        "langfuse_public_key": langfuse.public_key,
        "langfuse_secret_key": langfuse.secret_key,
    }
    return Settings.model_validate({"data": data, "trace": trace})


def vote(settings: Settings, *votes: Vote) -> None:
    for each in votes:
        for hears in who_hears_votes(settings):
            hears.voted(each)


def test_a_vote_is_a_score_of_the_trace_that_langfuse_has(tmp_path: Path) -> None:
    with receiving() as langfuse:
        vote(settings_for(langfuse, tmp_path), VOTE)

    (score,) = langfuse.scores.values()
    assert score["traceId"] == trace_id_of(TURN)
    assert (score["name"], score["value"], score["dataType"]) == ("helpful", 1, "BOOLEAN")


def test_a_changed_vote_takes_the_place_of_the_one_before(tmp_path: Path) -> None:
    with receiving() as langfuse:
        changed = replace(VOTE, helpful=False, reason="number")
        vote(settings_for(langfuse, tmp_path), VOTE, replace(VOTE, user="U2"), changed)

    assert sorted((s["value"], s.get("comment")) for s in langfuse.scores.values()) == [
        (0, "number"),
        (1, None),
    ]


def test_a_langfuse_that_refuses_or_is_away_loses_no_vote(tmp_path: Path) -> None:
    with receiving() as langfuse:
        langfuse.status = 500
        settings = settings_for(langfuse, tmp_path)
        vote(settings, VOTE)
    vote(settings, VOTE)

    assert not langfuse.scores
    assert len((tmp_path / "votes.jsonl").read_text().splitlines()) == 2
