import io
import json

import pytest

from bot.commands.check import check
from bot.errors import SettingsError
from bot.health import Probe, can_serve, health_of
from bot.settings import Settings
from retrieval.errors import LakeError


def works() -> str:
    return "found"


def fails() -> str:
    raise LakeError("there is no lake")


def test_a_part_that_works_needs_no_remedy() -> None:
    state = health_of(Probe("lake", works, "Name one."))

    assert (state.ok, state.found, state.remedy) == (True, "found", "")


def test_a_part_that_fails_says_why_and_what_to_do() -> None:
    state = health_of(Probe("lake", fails, "Name one."))

    assert (state.ok, state.found, state.remedy) == (False, "there is no lake", "Name one.")


def test_a_mistake_of_ours_is_not_taken_for_bad_health() -> None:
    def mistaken() -> str:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        health_of(Probe("lake", mistaken, ""))


@pytest.mark.parametrize(("needed", "ready"), [(True, False), (False, True)])
def test_only_parts_that_are_needed_keep_it_from_serving(needed: bool, ready: bool) -> None:
    states = [health_of(Probe("a", works, "")), health_of(Probe("b", fails, "", needed))]

    assert can_serve(states) is ready


def test_check_prints_settings_parts_and_remedies() -> None:
    out = io.StringIO()

    code = check(Settings(), [Probe("lake", fails, "Name one.")], out, as_json=False)

    assert code == 1
    for text in ("ODABOT_SITE__TIME_ZONE UTC", "FAIL  lake: there is no lake", "Name one."):
        assert text in out.getvalue()


def test_check_as_json_is_one_line() -> None:
    def unset() -> str:
        raise SettingsError("not configured")

    out = io.StringIO()
    probes = [Probe("lake", works, ""), Probe("model", unset, "Set it.", needed=False)]

    code = check(Settings(), probes, out, as_json=True)

    report = json.loads(out.getvalue())
    assert code == 0
    assert report["ready"] is True
    assert report["settings"]["ODABOT_WORKERS"] == "2"
    assert [part["ok"] for part in report["parts"]] == [True, False]
