"""What kinds of values an expression can have, and operators that can never work on theirs."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final

from ontology import shape
from ontology.function_types import call_of_function
from ontology.functions import ANALYTIC, CASTS, ValueKind
from ontology.literals import literal_text
from ontology.suggestions import written
from ontology.type_space import Mask, TypeSpace
from ontology.violations import Rule, Violation
from ontology.vocabulary import XSD

_ORDERED: Final = (
    *(ValueKind.NUMBER, ValueKind.STRING, ValueKind.BOOLEAN, ValueKind.DATE_TIME),
    *(ValueKind.DATE, ValueKind.TIME, ValueKind.DURATION),
)


@dataclass(frozen=True, slots=True)
class ExpressionTypes:
    """Types expressions under what is known of the variables, and collects what cannot work."""

    space: TypeSpace
    known: Mapping[str, Mask]
    report: Callable[[Violation], None]
    solve_exists: Callable[[shape.Group], None] = field(default=lambda group: None)

    def type_of(self, expression: shape.Expression) -> Mask:
        """What ``expression`` can be; reports each operator that cannot work."""
        match expression:
            case shape.Var(name):
                return self.known.get(name, self.space.any)
            case shape.Iri() | shape.Lit():
                return self.space.of_constant(expression)
            case shape.Exists(group, _):
                self.solve_exists(group)
                return self.space.kinds[ValueKind.BOOLEAN]
            case shape.Aggregate():
                return self._aggregate(expression)
            case shape.Call():
                return self._call(expression)

    def condition(self, expression: shape.Expression) -> None:
        """Check an expression that must be true or false."""
        self._truth(expression, self.type_of(expression))

    def _truth(self, expression: shape.Expression, mask: Mask) -> None:
        kinds = self.space.kinds
        if not mask & (
            kinds[ValueKind.BOOLEAN] | kinds[ValueKind.STRING] | kinds[ValueKind.NUMBER]
        ):
            message = f"{self.space.names(mask)} is neither true nor false"
            self.report(Violation(Rule.FILTER_DATATYPE, text_of(expression), message))

    def _call(self, call: shape.Call) -> Mask:
        kinds = self.space.kinds
        masks = [self.type_of(argument) for argument in call.arguments]
        match call.name:
            case "||" | "&&" | "!":
                for argument, mask in zip(call.arguments, masks, strict=True):
                    self._truth(argument, mask)
                return kinds[ValueKind.BOOLEAN]
            case "=" | "!=" | "<" | ">" | "<=" | ">=" | "IN" | "NOT IN":
                for argument, mask in zip(call.arguments[1:], masks[1:], strict=True):
                    self._compare(call.name, call.arguments[0], masks[0], argument, mask)
                return kinds[ValueKind.BOOLEAN]
            case "+" | "-" | "*" | "/":
                for argument, mask in zip(call.arguments, masks, strict=True):
                    if not mask & kinds[ValueKind.NUMBER]:
                        message = f"{call.name} needs numbers; this is {self.space.names(mask)}"
                        self.report(Violation(Rule.FILTER_DATATYPE, text_of(argument), message))
                return kinds[ValueKind.NUMBER]
            case "IF" if len(masks) == 3:
                self._truth(call.arguments[0], masks[0])
                return masks[1] | masks[2]
            case "COALESCE":
                found = 0
                for mask in masks:
                    found |= mask
                return found
            case _:
                return call_of_function(self.space, call, masks, self.report, text_of)

    def _compare(
        self,
        operator: str,
        one: shape.Expression,
        one_mask: Mask,
        other: shape.Expression,
        other_mask: Mask,
    ) -> None:
        both = any(
            self.space.kinds[kind] & one_mask and self.space.kinds[kind] & other_mask
            for kind in _ORDERED
        )
        if operator not in ("<", ">", "<=", ">="):
            both = both or bool(one_mask & other_mask)
        if both:
            return
        message = (
            f"{text_of(one)} is {self.space.names(one_mask)}, "
            f"{text_of(other)} is {self.space.names(other_mask)}: they never compare"
        )
        hint = self._repaired(one_mask, other)
        self.report(Violation(Rule.FILTER_DATATYPE, text_of(other), message, hint))

    def _repaired(self, wanted: Mask, literal: shape.Expression) -> tuple[str, ...]:
        if not isinstance(literal, shape.Lit):
            return ()
        kinds, text = self.space.kinds, literal.lexical
        if wanted & kinds[ValueKind.NUMBER] and text.replace(".", "", 1).isdigit():
            return (text,)
        if wanted & kinds[ValueKind.STRING]:
            return (f'"{text}"',)
        if wanted & kinds[ValueKind.DATE_TIME]:
            instant = text if "T" in text else f"{text}T00:00:00"
            instant += "" if instant[-6:].count(":") == 1 or instant.endswith("Z") else "Z"
            return (f'"{instant}"^^xsd:dateTime',)
        return ()

    def _aggregate(self, aggregate: shape.Aggregate) -> Mask:
        kinds, datatypes = self.space.kinds, self.space.datatypes
        if aggregate.argument is None:
            return datatypes[XSD + "integer"]
        mask = self.type_of(aggregate.argument)
        if aggregate.name in ANALYTIC:
            wanted = ANALYTIC[aggregate.name].arguments[0]
            if not isinstance(wanted, ValueKind) or not mask & kinds[wanted]:
                self._bad_argument(aggregate, mask, str(wanted))
            return datatypes[ANALYTIC[aggregate.name].result]
        match aggregate.name:
            case "COUNT":
                return datatypes[XSD + "integer"]
            case "SUM" | "AVG":
                if not mask & kinds[ValueKind.NUMBER]:
                    self._bad_argument(aggregate, mask, "number")
                return kinds[ValueKind.NUMBER]
            case "GROUP_CONCAT":
                if not mask & kinds[ValueKind.STRING]:
                    self._bad_argument(aggregate, mask, "string")
                return kinds[ValueKind.STRING]
            case _:
                return mask

    def _bad_argument(self, aggregate: shape.Aggregate, mask: Mask, wanted: str) -> None:
        name, argument = aggregate.name, aggregate.argument
        assert argument is not None
        message = f"takes a {wanted}; {text_of(argument)} is {self.space.names(mask)}"
        hint: tuple[str, ...] = ("COUNT", "MIN", "MAX")
        if name in ANALYTIC:
            hint = (ANALYTIC[name].comment,)
        elif wanted == "string":
            hint = (f"GROUP_CONCAT(STR({text_of(argument)}))",)
        self.report(Violation(Rule.AGGREGATE_DATATYPE, written(name), message, hint))


def text_of(expression: shape.Expression) -> str:
    """``expression`` much as it was written, to point at it."""
    match expression:
        case shape.Var(name):
            return f"?{name}"
        case shape.Iri(value):
            return written(value)
        case shape.Lit():
            return literal_text(expression)
        case shape.Aggregate(name, argument):
            return f"{_named(name)}({'*' if argument is None else text_of(argument)})"
        case shape.Exists(_, negated):
            return "NOT EXISTS" if negated else "EXISTS"
        case shape.Call(name, arguments):
            if name[0].isalpha() and name not in ("IN", "NOT IN"):
                return f"{_named(name)}({', '.join(text_of(part) for part in arguments)})"
            if len(arguments) == 1:
                return f"{name}{text_of(arguments[0])}"
            return f" {name} ".join(text_of(part) for part in arguments)


def _named(name: str) -> str:
    return written(name) if name in ANALYTIC or name in CASTS else name
