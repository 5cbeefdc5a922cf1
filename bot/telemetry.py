"""Logging as JSON lines with the trace id of the question; set up once, by the command line."""

import json
import logging
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime
from logging.handlers import RotatingFileHandler
from pathlib import Path

_trace: ContextVar[str] = ContextVar("trace", default="")
_PLAIN = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName"}
_VALUE = r"[\"'\\]*\s*[:=]\s*[\"'\\]*)(?:(?:basic|bearer|token)\s+)?[^\s\"'\\,;}]+"
_CREDENTIALS = (
    (("://",), re.compile(r"(\w://)[^\s/@\"]*@"), r"\1***@"),
    (
        ("authorization",),
        re.compile(rf"(\b(?:proxy-)?authorization{_VALUE}", re.IGNORECASE),
        r"\1***",
    ),
    (
        ("api", "password", "secret"),
        re.compile(rf"((?:api[_-]?key|password|secret[_-]?key){_VALUE}", re.IGNORECASE),
        r"\1***",
    ),
    (("bearer",), re.compile(r"(\bBearer\s+)[\w.~+/=-]{8,}", re.IGNORECASE), r"\1***"),
    (("sk-", "pk-"), re.compile(r"\b((?:sk|pk)-)[\w-]{8,}"), r"\1***"),
)
"""Users and passwords in addresses, what headers and settings call keys, keys by their look.

Each with what a text must have in it to be worth the search, which is slow.
"""
_MEGABYTE = 1_000_000


@contextmanager
def tracing(trace_id: str) -> Iterator[None]:
    """Give every line logged meanwhile, in this thread, the trace id of a question."""
    token = _trace.set(trace_id)
    try:
        yield
    finally:
        _trace.reset(token)


def without_credentials(text: str) -> str:
    """``text`` with the user and password of every address, and every key, left out."""
    lowered = text.lower()
    for signs, pattern, left in _CREDENTIALS:
        if any(sign in lowered for sign in signs):
            text = pattern.sub(left, text)
    return text


class JsonLines(logging.Formatter):
    """A record as one line of JSON: time, level, logger, message, trace id, extra fields."""

    def __init__(self, secrets: frozenset[str] = frozenset()) -> None:
        super().__init__()
        self._secrets = frozenset(json.dumps(secret)[1:-1] for secret in secrets)

    def format(self, record: logging.LogRecord) -> str:
        """``record`` as JSON, without the secrets that are known and what looks like one."""
        line: dict[str, object] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": record.getMessage(),
        }
        if trace := _trace.get():
            line["trace_id"] = trace
        line |= {k: v for k, v in vars(record).items() if k not in _PLAIN}
        if record.exc_info:
            line["error"] = self.formatException(record.exc_info)
        text = without_credentials(json.dumps(line, default=str))
        for secret in self._secrets:
            text = text.replace(secret, "***")
        return text


def log_to(path: Path | None, level: str, secrets: frozenset[str] = frozenset()) -> None:
    """Send what is logged from now on, but ``secrets``, to the file ``path`` or standard error.

    A file that cannot be opened is replaced by standard error: a question matters more.
    """
    handler: logging.Handler = logging.StreamHandler(sys.stderr)
    if path is not None:
        try:
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            handler = RotatingFileHandler(path, maxBytes=5 * _MEGABYTE, backupCount=3)
        except OSError as error:
            logging.getLogger(__name__).warning("cannot log to %s: %s", path, error)
    handler.setFormatter(JsonLines(secrets))
    root = logging.getLogger()
    for former in root.handlers[:]:
        root.removeHandler(former)
        former.close()
    root.addHandler(handler)
    root.setLevel(level)
    logging.captureWarnings(True)
    # The access and start-up lines of libraries say nothing about a question; what httpcore tells
    # in detail holds passwords.
    for noisy in (
        "uvicorn",
        "httpx",
        "httpcore",
        "chromadb",
        "dramatiq",
        "sentence_transformers",
        "matplotlib",
    ):
        logging.getLogger(noisy).setLevel(logging.WARNING)
