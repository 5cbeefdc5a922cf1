"""F = M after P after D after I: the metrics that a request asks for, by Algorithm 1."""

from dataclasses import dataclass, replace

from pydantic import TypeAdapter

from agent.asking_model import AskingModel
from agent.reflect.decomposition import parts_of
from agent.reflect.grounded import Part
from agent.reflect.intent import Intent, intent_of
from agent.reflect.plugin_choice import PluginReply, plugin_of
from agent.reflect.reflection import Reflection
from agent.reflect.saved_run import SavedRun
from agent.tracing import Kind
from retrieval.grounding import Grounding
from retrieval.slots import Slots
from retrieval.understanding import ReadingStops, Why, stop

JOBS, CHECKS = "job_table", "nagios_pub"
"""Plugins of which rows are told, not values measured: no metric is looked for in them."""

_INTENT = TypeAdapter(Intent)
_PARTS = TypeAdapter(tuple[str, ...])
_PLUGIN = TypeAdapter(PluginReply)


@dataclass(frozen=True, slots=True)
class Measured:
    """A sub-query tied to a plugin and, where it measures something, to its metrics."""

    plugin: str
    part: Part | None
    """None for the job table."""
    notes: tuple[str, ...] = ()


_MEASURED = TypeAdapter(Measured)


@dataclass(frozen=True, slots=True)
class MetricSteps:
    """The steps of one request; each is saved when it is done, and left out when it was."""

    grounding: Grounding
    reflection: Reflection
    model: AskingModel
    run: SavedRun

    def intent(self, slots: Slots) -> Intent:
        """What the request is about; raises ReadingStops where that stays in doubt."""
        text = self.run.asking.text

        def ask() -> Intent:
            found = intent_of(self.model, text, slots, self.reflection)
            if found is None:
                raise stop(Why.NOT_UNDERSTOOD, _UNSURE)
            return found

        return self.run.once("intent", _INTENT, ask)

    def measured(self, intent: Intent) -> tuple[tuple[Measured, ...], tuple[str, ...]]:
        """Each sub-query with its metrics, and what must be said of those that were left out.

        Raises ReadingStops where a choice is open, a metric is not found, or none is left.
        """
        several = intent.cardinality == "multi"
        parts = self.run.once("decomposition", _PARTS, lambda: self._parts(several))
        found, notes = [], []
        for number, part in enumerate(parts):
            plugin = self._plugin(number, part)
            if plugin:
                found.append(self._metric(number, part, plugin))
            else:
                notes.append(f"Left out, since I am not sure what measures it: '{part}'.")
        if not found:
            raise stop(Why.UNKNOWN_METRIC, _NO_PLUGIN)
        return tuple(found), (*notes, *(note for one in found for note in one.notes))

    def whole_of(self, plugin: str) -> Part:
        """The whole request as one about ``plugin``; raises ReadingStops where it has no data."""
        metrics = self.grounding.quantities.catalog.of_plugin(plugin)
        if plugin not in self.grounding.plugins or not metrics:
            raise stop(Why.OUT_OF_SCOPE, f"There are no data of {plugin} here.")
        return Part(self.run.asking.text, metrics)

    def _parts(self, several: bool) -> tuple[str, ...]:
        text = self.run.asking.text
        parts = parts_of(self.model, text, self.reflection) if several else (text,)
        if parts is None:
            raise stop(Why.NOT_UNDERSTOOD, _NOT_SPLIT)
        return parts

    def _plugin(self, number: int, part: str) -> str:
        """The plugin of a sub-query; empty where the model does not become sure of one."""
        now = self.run.asking.now

        def ask() -> PluginReply:
            chosen = plugin_of(
                self.model,
                part,
                self.grounding.plugins,
                lambda plugin: self.grounding.misplaced(part, plugin, now),
                self.reflection,
            )
            return chosen or PluginReply(plugin="", confidence=0)

        return self.run.once(f"plugin {number}", _PLUGIN, ask).plugin

    def _metric(self, number: int, part: str, plugin: str) -> Measured:
        return self.run.once(f"metric {number}", _MEASURED, lambda: self._found(part, plugin))

    def _found(self, part: str, plugin: str) -> Measured:
        if plugin == JOBS:
            return Measured(plugin, None)
        if plugin == CHECKS:
            return Measured(plugin, replace(self.whole_of(plugin), text=part))
        with self.model.tracer.span(Kind.CHECK, "metric", {"part": part, "plugin": plugin}) as span:
            try:
                chosen = self.grounding.metric(part, plugin, self.run.asking)
            except ReadingStops as stopped:
                span.tell(stopped.outcome)
                raise
            span.tell([metric.name for metric in chosen.quantity.metrics])
        quantity = chosen.quantity
        if quantity.complement or quantity.summed:
            raise stop(Why.NOT_UNDERSTOOD, _DERIVED.format(quantity.label))
        return Measured(plugin, Part(part, quantity.metrics), chosen.notes)


_UNSURE = (
    "I am not sure what is asked. Please put it in other words: name what is measured, of which"
    " things, and over which time."
)
_NOT_SPLIT = "I could not take the question apart. Please ask for one metric at a time."
_NO_PLUGIN = (
    "I am not sure what measures this. Please put the question in other words, or name the metric."
)
_DERIVED = (
    "{0} is computed from other readings, which a query written for the question cannot do yet."
    " Please ask for the readings themselves."
)
