"""What reaches Langfuse over the wire, and what a Langfuse that is away costs: nothing."""

import io
import json
import logging
import os
import subprocess
import sys
from pathlib import Path

import pytest
from pydantic import SecretStr

from agent.answer import Usage
from agent.session import Question
from agent.tracing import Kind
from bot.check_wiring import health_probes
from bot.commands.check import check
from bot.langfuse_traces import LangfuseTraces
from bot.settings import Settings, TraceSettings
from bot.step_tracer import StepTracer
from bot.trace_wiring import build_tracer, open_traces
from tests.fakes.langfuse_server import LangfuseServer, Received, receiving
from tests.fakes.recording_platform import NOW

ROOT = Path(__file__).resolve().parents[2]
ID = "6d5a462eb3254c9f"
POWER = "average total power of node 3 on 1 June 2022"
QUESTION = Question("power of node 3", NOW, ID, "ann", "web:ops:1")


def settings_for(server: LangfuseServer, data: Path) -> Settings:
    kept = TraceSettings(
        langfuse_url=server.url,
        langfuse_public_key=server.public_key,
        langfuse_secret_key=SecretStr(server.secret_key),
    )
    return Settings(data=data, trace=kept)


def traces_to(server: LangfuseServer) -> LangfuseTraces:
    return LangfuseTraces(server.url, server.public_key, server.secret_key)


def work(tracer: StepTracer, question: Question = QUESTION) -> None:
    with tracer.question(question) as root:
        with tracer.span(Kind.AGENT, "coordinator"), tracer.span(Kind.AGENT, "retriever"):
            with tracer.span(Kind.TOOL, "query", {"sparql": "SELECT ?v"}) as query:
                query.tell({"rows": 3})
            with tracer.span(Kind.GENERATION, "restate", "watts?") as reply:
                reply.tell({"question": "power?"}, usage=Usage(1, 120, 30), model="small-1.5b")
            with tracer.span(Kind.CHECK, "gate", {"sparql": "SELECT ?x"}) as gate:
                gate.tell(problem="there is no class oda:Cabinet")
        root.tell({"status": "completed"})


def named(received: list[Received]) -> dict[str, Received]:
    return {each.name: each for each in received}


def test_a_question_arrives_as_a_tree_under_its_trace_id() -> None:
    with receiving() as server:
        tracer = StepTracer([traces_to(server)])
        work(tracer)
        tracer.close()
        (headers,) = server.headers
        tree = named(server.of("0" * 16 + ID))

    assert headers["authorization"] == server.authorization
    assert headers["x-langfuse-public-key"] == server.public_key
    assert headers["content-type"] == "application/x-protobuf"
    assert {name: each.attribute("type") for name, each in tree.items()} == {
        "question": "span",
        "coordinator": "agent",
        "retriever": "agent",
        "query": "tool",
        "restate": "generation",
        "gate": "guardrail",
    }
    above = {"coordinator": "question", "retriever": "coordinator"}
    above |= dict.fromkeys(("query", "restate", "gate"), "retriever")
    assert {name: each.parent for name, each in tree.items()} == {
        "question": "",
        **{name: tree[parent].span for name, parent in above.items()},
    }
    assert {each.attributes["user.id"] for each in tree.values()} == {"ann"}
    assert {each.attributes["session.id"] for each in tree.values()} == {"web:ops:1"}
    assert {each.service for each in tree.values()} == {"odabot"}
    assert [n for n, e in tree.items() if "langfuse.internal.is_app_root" in e.attributes] == [
        "question"
    ]


def test_a_reply_has_its_model_and_tokens_and_nothing_else_counts_them_again() -> None:
    with receiving() as server:
        tracer = StepTracer([traces_to(server)])
        work(tracer)
        tracer.close()
        tree = named(server.received)

    assert tree["restate"].attribute("model.name") == "small-1.5b"
    assert tree["restate"].attribute("usage_details") == {"input": 120, "output": 30}
    assert [n for n, each in tree.items() if each.attribute("usage_details")] == ["restate"]
    assert tree["question"].attribute("metadata.input") == 120
    assert tree["question"].attribute("output") == {"status": "completed"}


_ELSEWHERE = """
import sys
from agent.tracing import Kind
from bot.langfuse_traces import LangfuseTraces
from bot.step_tracer import StepTracer
url, public, secret, parent = sys.argv[1:]
tracer = StepTracer([LangfuseTraces(url, public, secret)])
with tracer.span(Kind.AGENT, "elsewhere", parent=parent), tracer.span(Kind.TOOL, "below"):
    pass
tracer.close()
"""


def test_steps_of_another_process_hang_below_the_step_that_called_it() -> None:
    with receiving() as server:
        tracer = StepTracer([traces_to(server)])
        with tracer.question(QUESTION), tracer.span(Kind.TOOL, "exasage_query") as span:
            place = (server.url, server.public_key, server.secret_key, span.id)
            subprocess.run([sys.executable, "-c", _ELSEWHERE, *place], check=True, timeout=60)
        tracer.close()
        tree = named(server.of("0" * 16 + ID))

    assert tree["exasage_query"].parent == tree["question"].span
    assert tree["elsewhere"].parent == tree["exasage_query"].span
    assert tree["below"].parent == tree["elsewhere"].span


def test_what_was_rejected_and_what_failed_are_told_apart() -> None:
    with receiving() as server:
        tracer = StepTracer([traces_to(server)])
        work(tracer)
        with pytest.raises(LookupError), tracer.span(Kind.TOOL, "broken"):
            raise LookupError("no lake at http://ann:hunter2@host")
        tracer.close()
        tree = named(server.received)

    assert tree["gate"].attribute("level") == "WARNING"
    assert tree["gate"].attribute("status_message") == "there is no class oda:Cabinet"
    assert tree["broken"].attribute("level") == "ERROR"
    assert "hunter2" not in str(tree["broken"])


def test_the_time_of_a_step_is_that_of_its_observation() -> None:
    with receiving() as server:
        tracer = StepTracer([traces_to(server)])
        work(tracer)
        tracer.close()
        tree = named(server.received)

    for each in tree.values():
        assert each.start <= each.end
    assert tree["question"].start <= tree["query"].start <= tree["query"].end
    assert tree["query"].end <= tree["restate"].start <= tree["question"].end


def test_the_same_steps_under_the_same_ids_are_in_the_data_folder(tmp_path: Path) -> None:
    with receiving() as server:
        settings = settings_for(server, tmp_path)
        tracer = build_tracer(settings)
        work(tracer)
        tracer.close()

        kept = open_traces(settings).read(ID)
        sent = server.of("0" * 16 + ID)

    assert {(s.span, s.parent, s.name) for s in kept} == {(s.span, s.parent, s.name) for s in sent}
    assert len(kept) == 6


def test_the_keys_stand_in_no_trace(tmp_path: Path) -> None:
    with receiving() as server:
        tracer = build_tracer(settings_for(server, tmp_path))
        with tracer.question(QUESTION), tracer.span(Kind.TOOL, "leak", server.secret_key) as span:
            span.tell({"said": f"Authorization: {server.authorization}"})
        tracer.close()

    kept = b"".join(path.read_bytes() for path in (tmp_path / "traces").glob("*.jsonl"))
    for place in (kept, *server.bodies):
        assert server.secret_key.encode() not in place
        assert server.authorization.split()[1].encode() not in place


@pytest.mark.parametrize("user", ["Zoë", "x" * 300, "a\nb", "\ud800"])
def test_a_user_whom_langfuse_would_drop_has_a_name_of_its_own(user: str) -> None:
    other = Question("power", NOW, "1" * 16, user + "!", "t")
    with receiving() as server:
        tracer = StepTracer([traces_to(server)])
        for question in (Question("power", NOW, ID, user, "t"), other):
            with tracer.question(question):
                pass
        tracer.close()
        users = {each.attributes["user.id"] for each in server.received}

    assert len(users) == 2
    assert all(name.isascii() and len(name) <= 200 for name in users)


def test_neither_questions_nor_the_end_wait_for_a_server_that_does_not_answer() -> None:
    with receiving(answering=False) as server:
        tracer = StepTracer([traces_to(server)])
        # More than Langfuse takes in one request: some are under way while others are asked.
        for number in range(200):
            work(tracer, Question("power", NOW, f"{number + 1:016x}"))
        tracer.close()

        # It answers after half a minute, or when it is released.
        assert server.headers
        assert server.bodies == []


@pytest.mark.parametrize("status", [401, 404, 500, 503])
def test_a_server_that_refuses_costs_nothing(
    status: int, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with receiving() as server, caplog.at_level(logging.WARNING):
        server.status = status
        settings = settings_for(server, tmp_path)
        tracer = build_tracer(settings)
        work(tracer)
        tracer.close()

    assert server.received == []
    assert len(open_traces(settings).read(ID)) == 6
    assert server.secret_key not in caplog.text
    assert caplog.records


def run(arguments: list[str], settings: Settings, lake: Path) -> subprocess.CompletedProcess[str]:
    kept = settings.trace
    assert kept.langfuse_url is not None
    assert kept.langfuse_secret_key is not None
    environment = os.environ | {  # noqa: TID251 - of another process
        "ODABOT_DATA": str(settings.data),
        "ODABOT_RETRIEVAL__LAKE": str(lake),
        "ODABOT_TRACE__LANGFUSE_URL": kept.langfuse_url,
        "ODABOT_TRACE__LANGFUSE_PUBLIC_KEY": kept.langfuse_public_key,
        "ODABOT_TRACE__LANGFUSE_SECRET_KEY": kept.langfuse_secret_key.get_secret_value(),
    }
    return subprocess.run(
        [sys.executable, "-m", "bot", *arguments],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


def test_a_question_on_the_command_line_is_traced_to_langfuse(lake: Path, tmp_path: Path) -> None:
    with receiving() as server:
        settings = settings_for(server, tmp_path)
        answer = json.loads(run(["ask", POWER, "--json"], settings, lake).stdout)
        sent = named(server.of("0" * 16 + answer["trace_id"]))
        shown = run(["trace", answer["trace_id"]], settings, lake).stdout

    assert sent["question"].attribute("output")["status"] == "completed"
    assert sent["query"].attribute("input")["sparql"] in answer["sparql"]
    assert POWER in shown


def test_a_dead_langfuse_costs_an_answer_nothing(lake: Path, tmp_path: Path) -> None:
    with receiving() as server:
        settings = settings_for(server, tmp_path)

    done = run(["ask", POWER, "--json"], settings, lake)
    answer = json.loads(done.stdout)

    assert (done.returncode, answer["status"]) == (0, "completed")
    assert open_traces(settings).read(answer["trace_id"])
    secret = settings.trace.langfuse_secret_key
    assert secret is not None
    assert secret.get_secret_value() not in (tmp_path / "log.jsonl").read_text() + done.stderr


def told_by_check(settings: Settings) -> str:
    probes = [probe for probe in health_probes(settings) if probe.name == "traces"]
    out = io.StringIO()
    check(settings, probes, out, as_json=False)
    return out.getvalue()


def test_check_names_the_project_that_traces_go_to(tmp_path: Path) -> None:
    with receiving() as server:
        told = told_by_check(settings_for(server, tmp_path))

    assert f"ok    traces: kept in {tmp_path / 'traces'}, and in Langfuse, project ops" in told
    assert server.secret_key not in told


def test_check_says_that_langfuse_is_away_or_refuses(tmp_path: Path) -> None:
    with receiving() as server:
        settings = settings_for(server, tmp_path)
        server.secret_key = "another"
        refused = told_by_check(settings)
    away = told_by_check(settings)

    assert "WARN  traces: Langfuse answers 401 Unauthorized" in refused
    assert "WARN  traces" in away
    assert "ODABOT_TRACE__LANGFUSE" in refused
    assert "ready" in away


def test_check_says_where_traces_are_without_langfuse(tmp_path: Path) -> None:
    assert f"ok    traces: kept in {tmp_path / 'traces'}" in told_by_check(Settings(data=tmp_path))
