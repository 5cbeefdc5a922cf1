"""Health and metrics of a process, over HTTP as an orchestrator and Prometheus ask for them."""

import json
import socket
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from bot.errors import ListenError, SessionStoreError
from bot.http_settings import HttpSettings
from bot.http_wiring import Watched, readiness_probes, serve_http
from bot.settings import Settings
from retrieval.settings import GraphStoreSettings, RetrievalSettings


def settings_over(lake: Path, store: str | None = None) -> Settings:
    kept = GraphStoreSettings(kind="graphdb", url=store) if store else GraphStoreSettings()
    return Settings(
        http=HttpSettings(host="127.0.0.1", port=0),
        retrieval=RetrievalSettings(lake=lake, graph_store=kept),
    )


def depths() -> Mapping[str, int]:
    return {"waiting": 2}


@pytest.fixture
def lake(tmp_path: Path) -> Path:
    (tmp_path / "lake" / "year_month=22-06").mkdir(parents=True)
    return tmp_path / "lake"


@contextmanager
def serving(settings: Settings, watched: Watched, *routes: Route) -> Iterator[httpx.Client]:
    probes = readiness_probes(settings, lambda: None)
    with (
        serve_http(settings, settings.http.port, watched, probes, routes) as url,
        httpx.Client(base_url=url, timeout=30) as client,
    ):
        yield client


def test_says_that_it_lives_and_is_ready(lake: Path) -> None:
    watched = Watched.of(depths)
    watched.connections.up("slack", "connected as odabot")

    with serving(settings_over(lake), watched) as client:
        alive, ready = client.get("/healthz"), client.get("/readyz")

    assert (alive.status_code, alive.json()["status"]) == (200, "ok")
    assert alive.json()["parts"] == {"http": {"ok": True, "found": "alive"}}
    assert (ready.status_code, ready.json()["status"]) == (200, "ok")
    assert list(ready.json()["parts"]) == ["redis", "lake", "slack"]


def test_is_not_ready_while_a_platform_is_not_connected(lake: Path) -> None:
    watched = Watched.of(depths)
    watched.connections.expect("slack")

    with serving(settings_over(lake), watched) as client:
        ready, alive = client.get("/readyz"), client.get("/healthz")

    assert (ready.status_code, ready.json()["status"]) == (503, "failing")
    assert ready.json()["parts"]["slack"] == {"ok": False, "found": "not connected yet"}
    assert alive.status_code == 200


def test_is_not_ready_without_redis_or_lake(tmp_path: Path) -> None:
    def gone() -> None:
        raise SessionStoreError("the session store does not answer")

    (tmp_path / "unmounted").mkdir()
    settings, watched = settings_over(tmp_path / "unmounted"), Watched.of(depths)

    with serve_http(settings, 0, watched, readiness_probes(settings, gone)) as url:
        ready = httpx.get(f"{url}readyz", timeout=30)

    parts = ready.json()["parts"]
    assert ready.status_code == 503
    assert parts["redis"]["found"] == "the session store does not answer"
    assert parts["lake"]["found"].endswith("holds no partition year_month=YY-MM")


def test_is_not_ready_without_the_graph_store(lake: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as nobody:
        port = nobody.getsockname()[1]

    with serving(settings_over(lake, f"http://127.0.0.1:{port}"), Watched.of(depths)) as client:
        ready = client.get("/readyz")

    assert ready.status_code == 503
    assert not ready.json()["parts"]["graph store"]["ok"]


def test_wants_to_be_started_again_once_a_part_of_it_has_ended(lake: Path) -> None:
    watched = Watched.of(depths)
    thread = threading.Thread(target=lambda: None, name="worker")
    thread.start()
    thread.join()
    watched.liveness.watch_thread(thread)

    with serving(settings_over(lake), watched) as client:
        alive = client.get("/healthz")

    assert alive.status_code == 503
    assert alive.json()["parts"]["worker"] == {"ok": False, "found": "ended"}


def test_counts_in_the_form_that_prometheus_reads(lake: Path) -> None:
    watched = Watched.of(depths)
    watched.counters.duplicate()

    with serving(settings_over(lake), watched) as client:
        plain = client.get("/metrics")
        wanted = {"Accept": "application/openmetrics-text; version=1.0.0"}
        open_metrics = client.get("/metrics", headers=wanted)

    assert plain.headers["content-type"].startswith("text/plain; version=")
    assert "\nodabot_duplicates_total 1.0\n" in plain.text
    assert '\nodabot_queue_depth{state="waiting"} 2.0\n' in plain.text
    assert open_metrics.headers["content-type"].startswith("application/openmetrics-text")
    assert open_metrics.text.endswith("# EOF\n")


def test_serves_what_a_platform_mounts_beside_its_own(lake: Path) -> None:
    async def events(request: Request) -> Response:
        return PlainTextResponse(json.loads(await request.body())["challenge"])

    route = Route("/slack/events", events, methods=["POST"])
    with serving(settings_over(lake), Watched.of(depths), route) as client:
        answer = client.post("/slack/events", json={"challenge": "abc"})
        elsewhere = client.get("/slack/other")

    assert (answer.status_code, answer.text) == (200, "abc")
    assert elsewhere.status_code == 404


def test_a_port_that_is_taken_is_told(lake: Path) -> None:
    settings, watched = settings_over(lake), Watched.of(depths)

    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with (
            pytest.raises(ListenError, match=f"nothing can listen on 127.0.0.1 port {port}"),
            serve_http(settings, port, watched, ()),
        ):
            pass
