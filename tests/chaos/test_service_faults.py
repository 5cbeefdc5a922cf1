"""The service as an operator runs it, in a Slack that fails: killed, cut off, told things twice."""

import json
import random
import signal
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import pytest

from tests.chaos.faults import Tell
from tests.chaos.service_processes import ROOMS, ServiceSite, open_service_site, power_of
from tests.every_step import QUESTION, Replies
from tests.fakes.model_server import Fault, Said
from tests.fault_proxy import UPLOAD, Interrupted, Passed
from tests.intake_service import wait_until
from tests.oxigraph_server import oxigraph
from tests.unit.agent.reflect.test_model_queries import GOOD

EVERY = pytest.mark.every_fault
ALWAYS = "answer posted"
SLANG = ("tally of the jobs that croaked on 1 June 2022", "number of failed jobs")
"""What rules do not read, and what the model makes of it."""
# A test that only a store of graphs can make.
IN_A_GRAPH = GOOD.replace(
    "?v ; oda:timestamp ?t .", "?v ; oda:timestamp ?t . FILTER(isNumeric(?v))"
)
CHART = "plot total power of node 3 on 1 June 2022 from 10:00 to 12:00 as a line"
POST, UPDATE, SHARE = "chat.postMessage", "chat.update", "files.completeUploadExternal"


class Model:
    """The model's side: restates the question; once, when told to, it does something first."""

    def __init__(self) -> None:
        self.first: Callable[[], None] = lambda: None
        self.steps: Replies | None = None
        """Who replies where every step is the model's."""

    def __call__(self, body: Mapping[str, Any]) -> Said:
        if self.steps is not None:
            return self.steps.respond(body)
        first, self.first = self.first, lambda: None
        first()
        return Said(json.dumps({"question": SLANG[1]}))


@pytest.fixture(scope="module")
def model() -> Model:
    return Model()


@pytest.fixture(scope="module")
def one_service(model: Model, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServiceSite]:
    with open_service_site(tmp_path_factory.mktemp("service"), model) as site:
        yield site


@contextmanager
def replying(model: Model, steps: Replies) -> Iterator[None]:
    model.steps = steps
    try:
        yield
    finally:
        model.steps = None


@pytest.fixture
def service(one_service: ServiceSite) -> Iterator[ServiceSite]:
    yield one_service
    one_service.clear()


STAGES: dict[str, tuple[str, int, bool]] = {
    # The request at which the worker dies, how many of them pass before, and whether Slack did it.
    "progress to be posted": (POST, 0, False),
    "progress posted": (POST, 0, True),
    "answer to be posted": (POST, 1, False),
    "answer posted": (POST, 1, True),
    "picture to be sent": (UPLOAD, 0, False),
    "picture to be shown": (SHARE, 0, False),
    "picture shown": (SHARE, 0, True),
    "file shown": (SHARE, 1, True),
    "progress to be ended": (UPDATE, 0, False),
}


def killed_at(stage: str) -> object:
    return pytest.param(stage, marks=() if stage == ALWAYS else EVERY)


@pytest.mark.parametrize("stage", [killed_at(stage) for stage in STAGES])
def test_a_worker_is_killed(service: ServiceSite, tell: Tell, stage: str) -> None:
    service.serve()
    (worker,) = service.workers()
    method, before, done = STAGES[stage]
    service.proxy.fail(method, *[Passed()] * before, Interrupted(worker.kill, done))
    chart = service.write(ROOMS[0], "", (CHART, "Total node power of node 3"))
    follow_up = service.write(ROOMS[0], chart.root, power_of(4))
    wait_until(lambda: worker.process.poll() is not None, 60)
    service.workers()
    service.wait_for_answers([chart, follow_up])

    tell(service.row(f"service: worker killed: {stage}", [chart, follow_up]))
    service.check_order([chart, follow_up])


@EVERY
def test_a_worker_is_killed_while_the_model_writes(
    service: ServiceSite, model: Model, tell: Tell
) -> None:
    service.serve()
    (worker,) = service.workers()
    model.first = worker.kill
    slang = service.write(ROOMS[0], "", (SLANG[0], "failed"))
    wait_until(lambda: worker.process.poll() is not None, 60)
    service.workers()
    service.wait_for_answers([slang])

    tell(service.row("service: worker killed: model writes", [slang]))
    service.check_order([slang])


@EVERY
def test_what_hears_is_killed(service: ServiceSite, tell: Tell) -> None:
    serving = service.serve()
    service.workers(2)
    asked = service.ask(4, 1)
    serving.kill()
    # Nobody listens until it is there again; Slack tries again meanwhile.
    service.start("serve", "--no-work")
    asked += [service.write(one.channel, one.root, power_of(30 + n)) for n, one in enumerate(asked)]
    service.wait_for_answers(asked)

    tell(service.row("service: serve killed", asked))
    service.check_order(asked)


@EVERY
def test_all_processes_are_killed_at_once(service: ServiceSite, tell: Tell) -> None:
    service.serve()
    service.workers(2)
    asked = service.ask(6, 2)
    for process in service.running:
        process.kill()
    service.serve()
    service.workers(2)
    service.wait_for_answers(asked)

    tell(service.row("service: everything killed", asked))
    service.check_order(asked)


@EVERY
@pytest.mark.parametrize(
    ("how", "number"), [("killed", signal.SIGKILL), ("told to end", signal.SIGTERM)]
)
def test_valkey_starts_again(service: ServiceSite, tell: Tell, how: str, number: int) -> None:
    service.serve()
    service.workers(2)
    asked = service.ask(4, 1)
    service.store.restart(number)
    asked += [service.write(one.channel, one.root, power_of(30 + n)) for n, one in enumerate(asked)]
    service.wait_for_answers(asked)

    tell(service.row(f"service: Valkey {how}", asked))
    service.check_order(asked)
    assert all(process.healthy() for process in service.running)


@EVERY
def test_a_third_of_all_requests_to_slack_fail(service: ServiceSite, tell: Tell) -> None:
    service.serve()
    service.workers(2)
    service.proxy.fail_share(0.3)
    asked = service.ask(4, 2)
    asked.append(service.write(ROOMS[5], "", (CHART, "Total node power of node 3")))
    service.wait_for_answers(asked, 300)

    tell(service.row("service: 30 % of requests to Slack fail", asked))
    service.check_order(asked)


@EVERY
def test_the_model_is_down(service: ServiceSite, tell: Tell) -> None:
    service.serve()
    service.workers(2)
    service.model.faults.extend([Fault.RESET] * 1000)
    asked = service.ask(2, 1)
    # It is answered that this could not be read, and never with a number.
    slang = service.write(ROOMS[5], "", (SLANG[0], ""))
    service.wait_for_answers([*asked, slang])

    tell(service.row("service: model down", [*asked, slang]))
    service.check_order(asked)


@EVERY
def test_the_store_of_graphs_goes_down(service: ServiceSite, model: Model, tell: Tell) -> None:
    service.serve()
    every = {"ODABOT_AGENT__STEPS": "every"}
    with replying(model, Replies({"write-query": IN_A_GRAPH})):
        with oxigraph() as graphs:
            service.workers(2, **every, **service.graph_store_at(graphs))
            before = service.write(ROOMS[0], "", (QUESTION, "867"))
            service.wait_for_answers([before])
        asked = [service.write(room, "", (QUESTION, "store")) for room in ROOMS[1:4]]
        service.wait_for_answers(asked)

    tell(service.row("service: graph store down", [before, *asked]))
    service.check_order([before, *asked])


@EVERY
def test_the_whole_bot_is_killed(service: ServiceSite, tell: Tell) -> None:
    bot = service.start("serve")
    bot.wait_until_ready()
    asked = service.ask(4, 1)
    bot.kill()
    service.start("serve")
    asked += [service.write(one.channel, one.root, power_of(30 + n)) for n, one in enumerate(asked)]
    service.wait_for_answers(asked)

    tell(service.row("service: bot killed", asked))
    service.check_order(asked)


@EVERY
def test_events_come_twice_and_in_another_order(service: ServiceSite, tell: Tell) -> None:
    service.serve()
    first = [service.write(room, "", power_of(2 + n)) for n, room in enumerate(ROOMS[:4])]
    later = [
        service.write(one.channel, one.root, power_of(10 + 4 * place + n), deliver=False)
        for place in range(3)
        for n, one in enumerate(first)
    ]
    again = later * 2
    random.Random(3).shuffle(again)
    for one in again:
        service.deliver(one, random.Random(one.moment).sample(["app_mention", "message"], 2))
    service.workers(2)
    service.wait_for_answers(first + later)

    tell(service.row("service: events twice and in another order", first + later))
    service.check_order(first + later)
