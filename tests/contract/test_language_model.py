"""What every language model promises, over the scripted one and over an endpoint."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Literal

import pytest
from pydantic import BaseModel, SecretStr

from agent.answer import Usage
from agent.errors import ModelRefused, ModelReplyUnusable, ModelUnavailable
from agent.language_model import Called, LanguageModel, Prompt
from agent.openai_model import OpenAiModel
from agent.settings import AgentSettings, SchemaForm
from agent.tools import Tool
from tests.fakes.model_server import Fault, ModelServer, Said, in_turn, serving
from tests.fakes.scripted_model import ScriptedModel

Make = Callable[[str], LanguageModel]
"""Makes a model that gives the one reply."""

ASKED = Prompt("fruit", "Name a fruit.", (("red", '{"fruit": "apple"}'),), "yellow")


class Fruit(BaseModel):
    fruit: Literal["apple", "pear"]


@pytest.fixture(params=["scripted", "endpoint"])
def make(request: pytest.FixtureRequest) -> Iterator[Make]:
    with ExitStack() as stack:

        def over_http(reply: str) -> LanguageModel:
            return model_at(stack.enter_context(serving(in_turn(reply))))

        yield over_http if request.param == "endpoint" else lambda reply: ScriptedModel([reply])


def model_at(server: ModelServer, **changed: object) -> OpenAiModel:
    settings = AgentSettings(model_url=server.url, model_seconds=5)
    return OpenAiModel(settings.model_copy(update=changed))


def test_a_reply_comes_in_the_shape_that_was_asked_for(make: Make) -> None:
    filled = make('{"fruit": "pear"}').fill(ASKED, Fruit)

    assert filled.value == Fruit(fruit="pear")
    assert filled.usage == Usage(1, 100, 10)


def test_free_text_comes_as_it_was_written(make: Make) -> None:
    assert make("A pear.").write(ASKED).text == "A pear."


@pytest.mark.parametrize("reply", ['{"fruit": "plum"}', "pear", '{"fruit": "pear"', "{}", ""])
def test_a_reply_of_another_shape_is_refused_with_its_cost(make: Make, reply: str) -> None:
    model = make(reply)

    with pytest.raises(ModelReplyUnusable) as caught:
        model.fill(ASKED, Fruit)

    assert caught.value.usage == Usage(1, 100, 10)


PICK = Tool("pick", "Pick a fruit.", Fruit.model_json_schema())
DROP = Tool("drop", "Drop all.", {"type": "object", "properties": {}})


def test_a_tool_is_called_by_name_with_its_arguments(make: Make) -> None:
    called = make('{"tool": "pick", "arguments": {"fruit": "pear"}}').call(ASKED, (PICK, DROP))

    assert called == Called("pick", {"fruit": "pear"}, Usage(1, 100, 10))


@pytest.mark.parametrize(
    "reply",
    [
        '{"tool": "steal", "arguments": {}}',
        '{"tool": "pick"}',
        '{"tool": "pick", "arguments": "pear"}',
        "I would pick a pear.",
        '[{"tool": "pick", "arguments": {}}]',
    ],
)
def test_what_is_no_call_of_an_offered_tool_is_refused(make: Make, reply: str) -> None:
    with pytest.raises(ModelReplyUnusable) as caught:
        make(reply).call(ASKED, (PICK, DROP))

    assert caught.value.usage == Usage(1, 100, 10)


def test_the_schema_of_a_call_has_the_names_of_the_tools_alone() -> None:
    with serving(in_turn('{"tool": "drop", "arguments": {}}')) as server:
        model_at(server).call(ASKED, (PICK, DROP))

    schema = server.asked[0]["response_format"]["json_schema"]["schema"]
    assert [one["properties"]["tool"]["enum"] for one in schema["anyOf"]] == [["pick"], ["drop"]]
    assert "pick(fruit): Pick a fruit." in server.asked[0]["messages"][0]["content"]


def test_tools_are_offered_by_the_protocols_own_means_where_that_is_set() -> None:
    said = in_turn(Said(None, call=("pick", '{"fruit": "pear"}')))
    with serving(said) as server:
        called = model_at(server, model_tools="native").call(ASKED, (PICK, DROP))

    assert called == Called("pick", {"fruit": "pear"}, Usage(1, 100, 10))
    assert [one["function"]["name"] for one in server.asked[0]["tools"]] == ["pick", "drop"]
    assert "response_format" not in server.asked[0]


@pytest.mark.parametrize(
    "said",
    [
        Said("I would pick a pear."),
        Said(None, call=("steal", "{}")),
        Said(None, call=("pick", '{"fruit": "pe')),
    ],
)
def test_a_native_call_that_is_none_is_refused(said: Said) -> None:
    with serving(in_turn(said)) as server, pytest.raises(ModelReplyUnusable):
        model_at(server, model_tools="native").call(ASKED, (PICK, DROP))


def test_an_endpoint_gets_the_same_beginning_for_every_request() -> None:
    with serving(in_turn('{"fruit": "pear"}')) as server:
        model = model_at(server)
        model.fill(ASKED, Fruit)
        model.fill(Prompt("fruit", ASKED.instructions, ASKED.examples, "green"), Fruit)

    first, second = (body["messages"] for body in server.asked)
    assert first[:-1] == second[:-1]
    assert [turn["role"] for turn in first] == ["system", "user", "assistant", "user"]
    assert (first[-1]["content"], second[-1]["content"]) == ("yellow", "green")


@pytest.mark.parametrize(
    ("form", "key"),
    [
        ("json_schema", "response_format"),
        ("json_object", "response_format"),
        ("structured_outputs", "structured_outputs"),
    ],
)
def test_the_shape_is_sent_in_the_form_that_is_set(form: SchemaForm, key: str) -> None:
    with serving(in_turn('{"fruit": "pear"}')) as server:
        model_at(server, model_schema=form).fill(ASKED, Fruit)

    assert '"enum": ["apple", "pear"]'.replace('"', "'") in str(server.asked[0][key])


def test_without_a_form_no_shape_is_sent_and_the_reply_is_checked_all_the_same() -> None:
    with serving(in_turn('{"fruit": "plum"}')) as server, pytest.raises(ModelReplyUnusable):
        model_at(server, model_schema="none").fill(ASKED, Fruit)

    assert "response_format" not in server.asked[0]


@pytest.mark.parametrize("fault", [Fault.BUSY, Fault.BROKEN, Fault.RESET])
def test_a_call_that_may_succeed_in_a_moment_is_tried_again(fault: Fault) -> None:
    with serving(in_turn("A pear.")) as server:
        model = model_at(server, model_name="stand-in")
        server.faults[:] = [fault]

        assert model.write(ASKED).text == "A pear."


def test_a_busy_endpoint_is_given_up_on_after_the_attempts_that_are_set() -> None:
    with serving(in_turn("A pear.")) as server:
        server.faults[:] = [Fault.BUSY] * 3
        server.wait = "0"

        with pytest.raises(ModelUnavailable, match="429"):
            model_at(server, model_name="stand-in").write(ASKED)

        assert server.faults == []


@pytest.mark.parametrize(
    ("fault", "says"), [(Fault.NO_KEY, "invalid api key"), (Fault.TOO_LONG, "4096 tokens")]
)
def test_what_the_endpoint_does_not_take_is_not_sent_again(fault: Fault, says: str) -> None:
    with serving(in_turn("A pear.")) as server:
        server.faults[:] = [fault, fault]

        with pytest.raises(ModelRefused, match=says):
            model_at(server, model_name="stand-in").write(ASKED)

        assert server.faults == [fault]


def test_a_reply_that_takes_too_long_is_not_asked_for_again() -> None:
    with serving(in_turn("A pear.")) as server:
        server.faults[:] = [Fault.SILENT, Fault.SILENT]

        with pytest.raises(ModelUnavailable, match=r"within 0\.2 s"):
            model_at(server, model_name="stand-in", model_seconds=0.2).write(ASKED)

        assert server.faults == [Fault.SILENT]


def test_a_web_page_is_no_reply() -> None:
    with serving(in_turn("A pear.")) as server:
        server.faults[:] = [Fault.WEB_PAGE]

        with pytest.raises((ModelUnavailable, ModelReplyUnusable)):
            model_at(server, model_name="stand-in").write(ASKED)


def test_nobody_listening_is_said_with_the_address() -> None:
    with serving(in_turn("A pear.")) as server:
        model = model_at(server, model_name="stand-in", model_attempts=1)

    with pytest.raises(ModelUnavailable, match=r"127\.0\.0\.1"):
        model.write(ASKED)


def test_an_endless_reply_is_refused() -> None:
    endless = in_turn(Said("pear " * 50, finish="length"))

    with serving(endless) as server, pytest.raises(ModelReplyUnusable, match="end"):
        model_at(server).write(ASKED)


def test_the_key_is_sent_and_no_error_tells_it() -> None:
    with serving(in_turn("A pear.")) as server:
        model = model_at(server, model_key=SecretStr("s3cret"), model_name="stand-in")
        model.write(ASKED)
        server.faults[:] = [Fault.NO_KEY]
        with pytest.raises(ModelRefused) as caught:
            model.write(ASKED)

    assert server.keys[0] == "Bearer s3cret"
    assert "s3cret" not in str(caught.value)


def test_an_endpoint_that_holds_to_schemas_is_told_from_one_that_does_not() -> None:
    called = Said(None, call=("report", '{"word": "pear"}'))
    with serving(in_turn('{"word": "pear"}', called, '{"word": "apple"}')) as server:
        holding, ignoring = model_at(server).abilities(), model_at(server).abilities()

    assert (holding.holds_schema, ignoring.holds_schema) == (True, False)
    assert (holding.calls_tools, ignoring.calls_tools) == (True, False)
    assert holding.context == 4096
    assert holding.models == ("stand-in",)


def test_a_model_that_the_endpoint_does_not_have_is_named_beside_those_it_has() -> None:
    said = pytest.raises(ModelRefused, match=r"'other'.*stand-in")

    with serving(in_turn("A pear.")) as server, said:
        model_at(server, model_name="other").abilities()
