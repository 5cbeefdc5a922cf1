"""Queries put together by hypothesis: groups that hang on one node, filters, and what is asked."""

from collections.abc import Callable
from dataclasses import dataclass, field

from hypothesis import strategies as st

Draw = Callable[[st.SearchStrategy[str]], str]
Scope = dict[str, str]
"""Kind of each variable in reach: number, time, text or thing."""
METRICS = ("total_power", "ambient", "Gpu0_gpu_utilization", "Gpu1_gpu_utilization")
MOST_READINGS = 2
"""Patterns of readings in one query: each multiplies its solutions."""
JOB_PROPERTIES = {
    "startTime": "time",
    "endTime": "time",
    "runSeconds": "number",
    "nodeCount": "number",
    "gpusPerNode": "number",
    "jobState": "text",
}
NUMBERS = st.sampled_from(["0", "1", "2", "4", "20", "21.5", "22", "50", "500", "700", "2.5e1"])
TIMES = st.sampled_from(
    [
        f'"2022-06-01T{time}"^^xsd:dateTime'
        for time in ("10:08:00Z", "10:10:00.500Z", "10:20:20Z", "12:15:00+02:00", "10:39:00Z")
    ]
)
TEXTS = st.sampled_from(['"0"', '"1"', '"2"', '"4"', '"COMPLETED"', '"x"'])
COMPARISONS = st.sampled_from(["=", "!=", "<", ">", "<=", ">="])
CONSTANTS = {"number": NUMBERS, "time": TIMES, "text": TEXTS}


@dataclass
class Writer:
    """Writes one query; every choice is hypothesis's."""

    draw: Draw
    number: int = 0
    readings: int = 0
    jobs: int = 0
    names: list[str] = field(default_factory=list)

    def choose(self, *options: str) -> str:
        """One of ``options``."""
        return self.draw(st.sampled_from(options))

    def fresh(self, letter: str) -> str:
        """A variable that the query does not have yet."""
        self.number += 1
        return f"?{letter}{self.number}"

    def one_of(self, scope: Scope, kind: str) -> str:
        """A variable of a kind in reach, or nothing."""
        names = sorted(name for name, found in scope.items() if found == kind)
        return self.choose(*names) if names else ""

    def reading(self, scope: Scope) -> str:
        """Readings of one metric of the node, at times of their own or at those of others."""
        self.readings += 1
        sensor, reading, value = self.fresh("s"), self.fresh("r"), self.fresh("v")
        known = self.one_of(scope, "time")
        time = known if known and self.choose("own", "shared") == "shared" else self.fresh("t")
        scope.update({value: "number", time: "time", reading: "thing"})
        metric = self.choose(*METRICS)
        return (
            f'?n oda:hasSensor {sensor} . {sensor} oda:metricName "{metric}" ;'
            f" oda:hasReading {reading} . {reading} oda:value {value} ; oda:timestamp {time} ."
        )

    def job(self, scope: Scope) -> str:
        """Jobs of the node with one of their properties."""
        self.jobs += 1
        job, value = self.fresh("j"), self.fresh("p")
        name = self.choose(*JOB_PROPERTIES)
        scope.update({job: "thing", value: JOB_PROPERTIES[name]})
        return f"{job} oda:runsOn ?n ; oda:{name} {value} ."

    def place(self, scope: Scope) -> str:
        """Where the node stands."""
        value = self.fresh("x")
        scope[value] = "number"
        if self.choose("position", "rack") == "position":
            return f"?n oda:{self.choose('positionX', 'positionY')} {value} ."
        scope[value] = "text"
        rack = self.fresh("k")
        return f"{rack} oda:rackId {value} ; oda:contains{self.choose('', '+')} ?n ."

    def triples(self, scope: Scope) -> str:
        """Patterns of the node: its id, and one other thing."""
        kinds = ["place"]
        if self.readings < MOST_READINGS:
            kinds += ["reading"] * 3
        if not self.jobs:
            kinds.append("job")
        kind = self.choose(*kinds)
        if kind == "reading":
            return self.reading(scope)
        return self.job(scope) if kind == "job" else self.place(scope)

    def value(self, scope: Scope, kind: str) -> str:
        """An expression of a kind over what is in reach."""
        known = self.one_of(scope, kind)
        if not known or self.choose("known", "constant", "known") == "constant":
            return self.draw(CONSTANTS[kind])
        if kind != "number":
            return known
        constant = self.draw(NUMBERS)
        return self.choose(
            known,
            known,
            f"({known} {self.choose('+', '-', '*')} {constant})",
            f"(1 / ({known} - {constant}))",
            f"IF({known} > {constant}, {known}, {constant})",
            f"COALESCE({known}, {constant})",
            f"{self.choose('ABS', 'FLOOR', 'CEIL', 'ROUND')}({known})",
        )

    def condition(self, scope: Scope, depth: int = 1) -> str:
        """A test over what is in reach."""
        form = self.choose(*(("test",) * 4), *(("and", "or", "not", "bound") if depth else ()))
        if form == "bound":
            return f"{self.choose('', '!')}BOUND({self.choose(*sorted(scope))})"
        if form == "not":
            return f"!({self.condition(scope, depth - 1)})"
        if form != "test":
            operator = {"and": "&&", "or": "||"}[form]
            sides = (self.condition(scope, depth - 1) for _ in range(2))
            return "(" + f" {operator} ".join(sides) + ")"
        kind = self.choose(*sorted({found for found in scope.values() if found in CONSTANTS}))
        left, right = self.value(scope, kind), self.value(scope, kind)
        if kind == "number" and self.choose("compare", "compare", "in") == "in":
            return f"{left} {self.choose('IN', 'NOT IN')} ({right}, {self.draw(NUMBERS)})"
        return f"{left} {self.draw(COMPARISONS)} {right}"

    def group(self, scope: Scope, depth: int) -> str:
        """What stands between braces; ``scope`` gains what it binds."""
        scope["?n"] = "thing"
        parts = ["?n a oda:ComputeNode ; oda:nodeId ?id .", self.triples(scope)]
        scope["?id"] = "text"
        for _ in range(int(self.choose("0", "1", "2"))):
            forms = ["filter", "filter", "bind", "values", "triples"]
            if depth:
                forms += ["optional", "union", "minus", "exists", "select"]
            parts.append(self.part(self.choose(*forms), scope, depth - 1))
        return " ".join(parts)

    def part(self, form: str, scope: Scope, depth: int) -> str:
        """One further part of a group."""
        match form:
            case "filter":
                return f"FILTER({self.condition(scope)})"
            case "triples":
                return self.triples(scope)
            case "bind":
                name = self.fresh("e")
                text = f"BIND({self.value(scope, 'number')} AS {name})"
                scope[name] = "number"
                return text
            case "values":
                return f"VALUES ?id {{ {' '.join(self.draw(TEXTS) for _ in range(3))} }}"
            case "union":
                sides = [Scope(), Scope()]
                texts = [f"{{ {self.group(side, depth)} }}" for side in sides]
                scope.update({**sides[0], **sides[1]})
                return " UNION ".join(texts)
            case "select":
                return self.inner_select(scope, depth)
            case _:
                return self.within(form, scope, depth)

    def within(self, form: str, scope: Scope, depth: int) -> str:
        """An OPTIONAL, MINUS or EXISTS, whose own filter may look outside where that is seen."""
        inner = Scope()
        body = self.group(inner, depth)
        if form == "minus":
            return f"MINUS {{ {body} }}"
        if self.choose("inside", "outside") == "outside":
            body += f" FILTER({self.condition({**scope, **inner})})"
        if form == "exists":
            return f"FILTER {self.choose('', 'NOT ')}EXISTS {{ {body} }}"
        scope.update(inner)
        return f"OPTIONAL {{ {body} }}"

    def inner_select(self, scope: Scope, depth: int) -> str:
        """A sub-select with one measure a node, perhaps only the first few."""
        inner, name = Scope(), self.fresh("m")
        body = self.group(inner, depth)
        scope[name] = "number"
        most = self.choose("", f" ORDER BY DESC({name}) ?n LIMIT 2")
        return f"{{ SELECT ?n ({self.measure(inner)} AS {name}) {{ {body} }} GROUP BY ?n{most} }}"

    def measure(self, scope: Scope) -> str:
        """An aggregate over what is in reach."""
        value, time = self.value(scope, "number"), self.one_of(scope, "time")
        options = [f"{name}({value})" for name in ("AVG", "SUM", "MIN", "MAX", "COUNT")]
        options += ["COUNT(*)", f"COUNT(DISTINCT {self.choose(*sorted(scope))})"]
        options += [f"odaf:{name}({value})" for name in ("median", "stddev")]
        if time:
            names = ("integral", "latest")
            options += [f"odaf:{name}(odaf:at({value}, {time}))" for name in names]
        return self.choose(*options)

    def query(self) -> str:
        """A whole query."""
        scope = Scope()
        body = self.group(scope, 2)
        if self.choose("rows", "measures") == "rows":
            names = sorted({self.choose(*sorted(scope)) for _ in range(3)})
            order = self.choose("", "", f" ORDER BY {' '.join(names)} LIMIT 7")
            return f"SELECT {self.choose('', 'DISTINCT ')}{' '.join(names)} {{ {body} }}{order}"
        keys = [name for name in ("?id", self.choose(*sorted(scope))) if self.choose("", name)]
        keys = sorted(set(keys))
        measures = [self.measure(scope) for _ in range(2)]
        shown = " ".join(f"({measure} AS ?out{n})" for n, measure in enumerate(measures))
        grouped = f" GROUP BY {' '.join(keys)}" if keys else ""
        having = f" HAVING({measures[0]} > {self.draw(NUMBERS)})" if self.choose("", "h") else ""
        return f"SELECT {' '.join(keys)} {shown} {{ {body} }}{grouped}{having}"


@st.composite
def queries(draw: st.DrawFn) -> str:
    """SELECT queries over nodes, their readings and jobs, which the gate lets pass."""
    return Writer(draw).query()
