"""Settings to the tracer and what it keeps steps in; knows each keeper by name."""

import base64
import json
import urllib.error
import urllib.request

from bot.errors import SettingsError
from bot.settings import Settings, TraceSettings
from bot.step_tracer import StepTracer
from bot.trace_files import TraceFiles
from bot.trace_step import Keeper
from bot.trace_values import PlainValues, secrets_in

_MEBIBYTE = 1 << 20
_PROBE_SECONDS = 5


def build_tracer(settings: Settings) -> StepTracer:
    """What the steps of questions are told to; must be closed, so that nothing is lost."""
    keepers: list[Keeper] = [open_traces(settings)]
    kept = settings.trace
    if kept.langfuse_url is not None:
        from bot.langfuse_traces import LangfuseTraces

        secret = kept.langfuse_secret_key
        assert secret is not None
        keepers.append(
            LangfuseTraces(kept.langfuse_url, kept.langfuse_public_key, secret.get_secret_value())
        )
    return StepTracer(keepers, PlainValues(secrets_in(settings)))


def open_traces(settings: Settings) -> TraceFiles:
    """The traces in the data folder."""
    kept = settings.trace
    return TraceFiles(settings.traces, kept.days, kept.kept_mib * _MEBIBYTE)


def try_traces(settings: Settings) -> str:
    """Where traces go; raises OSError where Langfuse is away, SettingsError where it refuses."""
    where = f"kept in {settings.traces}"
    if settings.trace.langfuse_url is None:
        return where
    return f"{where}, and in Langfuse, project {_project(settings.trace)}"


def _project(kept: TraceSettings) -> str:
    """The name of the project that the keys are for, as Langfuse says it."""
    secret = kept.langfuse_secret_key
    assert secret is not None
    keys = f"{kept.langfuse_public_key}:{secret.get_secret_value()}".encode()
    headers = {"Authorization": f"Basic {base64.b64encode(keys).decode()}"}
    url = f"{kept.langfuse_url}/api/public/projects"
    request = urllib.request.Request(url, headers=headers)  # noqa: S310 - http or https, by the setting
    try:
        with urllib.request.urlopen(request, timeout=_PROBE_SECONDS) as reply:  # noqa: S310
            told = json.load(reply)
        return str(told["data"][0]["name"])
    except urllib.error.HTTPError as error:
        raise SettingsError(f"Langfuse answers {error.code} {error.reason}") from error
    except (ValueError, LookupError, TypeError) as error:
        raise SettingsError(f"{kept.langfuse_url} does not answer as Langfuse does") from error
