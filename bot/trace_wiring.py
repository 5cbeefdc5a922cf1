"""Settings to the tracer and what it keeps steps in; knows each keeper by name."""

from bot.settings import Settings
from bot.step_tracer import StepTracer
from bot.trace_files import TraceFiles
from bot.trace_values import PlainValues, secrets_in

_MEBIBYTE = 1 << 20


def build_tracer(settings: Settings) -> StepTracer:
    """What the steps of questions are told to; must be closed, so that nothing is lost."""
    return StepTracer([open_traces(settings)], PlainValues(secrets_in(settings)))


def open_traces(settings: Settings) -> TraceFiles:
    """The traces in the data folder."""
    kept = settings.trace
    return TraceFiles(settings.traces, kept.days, kept.kept_mib * _MEBIBYTE)
