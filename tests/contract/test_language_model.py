"""What every language model promises, over the scripted one and over an endpoint."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from typing import Any, Literal

import pytest
from pydantic import BaseModel, SecretStr

from agent.answer import Usage
from agent.errors import ModelRefused, ModelReplyUnusable, ModelUnavailable
from agent.language_model import Called, LanguageModel, Prompt
from agent.model_replies import completion_in, models_in
from agent.openai_model import OpenAiModel
from agent.settings import AgentSettings, SchemaForm
from agent.tools import Tool
from tests.fakes.model_server import Fault, ModelServer, Respond, Said, in_turn, serving
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


@pytest.mark.parametrize("fault", [Fault.BUSY, Fault.BROKEN, Fault.RESET, Fault.TORN])
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


def test_a_reply_that_drips_for_ever_is_late_as_a_whole() -> None:
    with serving(in_turn("A pear.")) as server:
        server.faults[:] = [Fault.DRIPPING, Fault.DRIPPING]

        with pytest.raises(ModelUnavailable, match=r"within 0\.3 s"):
            model_at(server, model_name="stand-in", model_seconds=0.3).write(ASKED)

        assert server.faults == [Fault.DRIPPING]


def test_a_body_without_end_is_not_read_to_its_end_nor_asked_for_again() -> None:
    with serving(in_turn("A pear.")) as server:
        server.faults[:] = [Fault.ENDLESS, Fault.ENDLESS]

        with pytest.raises(ModelUnavailable, match="no end"):
            model_at(server, model_name="stand-in", model_seconds=60).write(ASKED)

        assert server.faults == [Fault.ENDLESS]


@pytest.mark.parametrize(
    ("wait", "left"),
    [("3600", 1), ("Wed, 01 Jan 2200 00:00:00 GMT", 1), ("-1", 0), ("0.01", 0), ("soon", 0)],
)
def test_who_asks_to_be_left_alone_for_long_is_not_asked_again(wait: str, left: int) -> None:
    with serving(in_turn("A pear.")) as server:
        server.faults[:] = [Fault.BUSY, Fault.BUSY]
        server.wait = wait

        with pytest.raises(ModelUnavailable, match="429"):
            model_at(server, model_name="stand-in", model_attempts=2).write(ASKED)

        assert len(server.faults) == left


def test_a_web_page_is_no_reply() -> None:
    with serving(in_turn("A pear.")) as server:
        server.faults[:] = [Fault.WEB_PAGE]

        with pytest.raises(ModelUnavailable, match="protocol"):
            model_at(server, model_name="stand-in").write(ASKED)


@pytest.mark.parametrize(
    "listing",
    ['{"data": null}', '{"data": "x"}', '{"data": [null]}', '{"data": [{}]}', "[]", "null"],
)
def test_a_list_of_models_that_is_none_is_said(listing: str) -> None:
    with pytest.raises(ModelUnavailable, match="protocol"):
        models_in(listing.encode())


@pytest.mark.parametrize(
    "body",
    [
        *("null", "[1]", "5", '{"choices": null}', '{"choices": []}', '{"choices": "abc"}'),
        *('{"choices": [null]}', '{"choices": [{}]}', '{"choices": [{"message": "pear"}]}'),
        '{"error": {"message": "no such thing"}}',
        '{"choices": [{"message": {"content": "half a character: \\ud800"}}]}',
        '{"choices": ' + "[" * 100_000,
    ],
    ids=lambda body: body[:30],
)
def test_what_is_not_of_the_protocols_form_is_said(body: str) -> None:
    with pytest.raises(ModelUnavailable, match="protocol"):
        completion_in(body.encode())


@pytest.mark.parametrize("content", ["5", '["pear"]', '{"fruit": "pear"}', "null", '""'])
def test_a_reply_without_a_text_is_empty(content: str) -> None:
    done = completion_in(f'{{"choices": [{{"message": {{"content": {content}}}}}]}}'.encode())

    with pytest.raises(ModelReplyUnusable, match="empty"):
        done.text()


@pytest.mark.parametrize("calls", ["5", '"x"', "[null]", '[{"function": null}]', "[]"])
def test_calls_that_are_none_are_not_made(calls: str) -> None:
    done = completion_in(f'{{"choices": [{{"message": {{"tool_calls": {calls}}}}}]}}'.encode())

    assert done.call() is None


@pytest.mark.parametrize(
    "usage",
    [
        *("null", "{}", '"much"', '{"prompt_tokens": null, "completion_tokens": null}'),
        '{"prompt_tokens": -100, "completion_tokens": -5}',
        '{"prompt_tokens": 1.5, "completion_tokens": 2}',
        '{"prompt_tokens": 1e300, "completion_tokens": 2}',
    ],
)
def test_a_cost_that_is_none_is_not_paid(usage: str) -> None:
    body = f'{{"choices": [{{"message": {{"content": "A pear."}}}}], "usage": {usage}}}'

    assert completion_in(body.encode()).usage == Usage(1)


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
        server.faults[:] = [Fault.ECHOED_KEY]
        with pytest.raises(ModelRefused, match="not valid") as caught:
            model.write(ASKED)

    assert server.keys == ["Bearer s3cret"] * 2
    assert "s3cret" not in str(caught.value)


def test_the_user_and_password_of_an_address_are_in_no_error() -> None:
    with serving(in_turn("A pear.")) as server:
        url = server.url.replace("http://", "http://ann:hunter2@")
        model = model_at(server, model_url=url, model_name="stand-in", model_attempts=1)

    with pytest.raises(ModelUnavailable) as caught:
        model.write(ASKED)

    assert "hunter2" not in str(caught.value)


def obeying(*forms: str, tools: bool = False) -> Respond:
    """Keeps to a schema that is sent in one of ``forms``, and calls tools where it can."""

    def respond(body: Mapping[str, Any]) -> Said:
        if "tools" in body:
            return Said("no", call=("report", '{"word": "pear"}') if tools else None)
        kind = (body.get("response_format") or {}).get("type")
        form = "structured_outputs" if "structured_outputs" in body else kind
        return Said('{"word": "pear"}' if form in forms else '{"word": "apple"}')

    return respond


@pytest.mark.parametrize(
    ("forms", "found"),
    [
        (("json_schema", "json_object"), ("json_schema",)),
        (("json_object", "structured_outputs"), ("structured_outputs", "json_object")),
        ((), ()),
    ],
)
def test_the_forms_are_found_in_which_an_endpoint_keeps_to_a_schema(
    forms: tuple[str, ...], found: tuple[str, ...]
) -> None:
    with serving(obeying(*forms)) as server:
        abilities = model_at(server).abilities()

    assert abilities.schemas == found
    assert abilities.context == 32_768
    assert abilities.models == ("stand-in",)
    assert abilities.counts_tokens


@pytest.mark.parametrize("tools", [True, False])
def test_an_endpoint_that_calls_tools_is_told_from_one_that_does_not(tools: bool) -> None:
    with serving(obeying("json_schema", tools=tools)) as server:
        assert model_at(server).abilities().calls_tools is tools


def test_a_model_that_the_endpoint_does_not_have_is_named_beside_those_it_has() -> None:
    said = pytest.raises(ModelRefused, match=r"'other'.*stand-in")

    with serving(in_turn("A pear.")) as server, said:
        model_at(server, model_name="other").abilities()
