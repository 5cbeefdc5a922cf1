"""What the commands share."""

import logging
import os
import signal
import threading
from pathlib import Path

import pytest

from agent import Analyst
from bot.commands.running import told_to_stop, wait_for, warmed
from retrieval.errors import EmbeddingUnavailable
from retrieval.sentence_embedder import SentenceEmbedder
from tests.fakes.canned_analyst import CannedCoordinator


def test_what_cannot_be_loaded_ahead_is_logged_and_no_more(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    tried = threading.Event()

    def load() -> None:
        tried.set()
        raise EmbeddingUnavailable("no embedding model")

    with caplog.at_level(logging.WARNING), warmed(Analyst(CannedCoordinator(tmp_path), load)):
        assert tried.wait(10)

    assert "no embedding model" in caplog.text


def test_whoever_ends_waits_for_what_is_being_loaded(tmp_path: Path) -> None:
    loaded, may_load = threading.Event(), threading.Event()

    def load() -> None:
        may_load.wait(10)
        loaded.set()

    with warmed(Analyst(CannedCoordinator(tmp_path), load)):
        assert not loaded.is_set()
        may_load.set()

    assert loaded.is_set()


def test_a_folder_that_is_not_there_is_no_model(tmp_path: Path) -> None:
    with pytest.raises(EmbeddingUnavailable, match="no such folder"):
        SentenceEmbedder(str(tmp_path / "nowhere")).embed(["power"])


class _Locked(threading.Event):
    """An event that nobody may wait on in the thread whose handler of signals sets it."""

    def wait(self, timeout: float | None = None) -> bool:
        raise AssertionError("a signal now would wait for the lock that this thread holds")


def test_waiting_takes_no_lock_that_a_handler_of_signals_needs() -> None:
    stopping = _Locked()
    threading.Timer(0.01, stopping.set).start()

    wait_for(stopping)

    assert stopping.is_set()


def test_a_signal_ends_the_waiting() -> None:
    with told_to_stop() as stopping:
        os.kill(os.getpid(), signal.SIGTERM)
        wait_for(stopping)

    assert stopping.is_set()
