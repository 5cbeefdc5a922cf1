"""Things that differ from the others of their kind: the request, and the rows that it leaves."""

from collections.abc import Callable, Mapping
from dataclasses import replace

import polars as pl

from retrieval.asking import ChartHint
from retrieval.data_request import ReadingsRequest
from retrieval.measures import Group, Measure, Wanted
from retrieval.metric_choice import chosen_quantities
from retrieval.peer_words import PeerWords, Side
from retrieval.query_text import Column, Role
from retrieval.request import EntityKind, TimeWindow
from retrieval.slots import Slots
from retrieval.tables import Shaped
from retrieval.understanding import Why, stop

FEWEST = 3
"""With fewer there are no others to speak of."""
_FAR = 3.0
_SCALE = 1.4826
"""Makes the median distance from the median a standard deviation where values are normal."""
_PARTS = ("gpu", "card", "fan")
DEVIATIONS = "deviations"


def peers_request(
    slots: Slots, settled: Mapping[str, str], windows: tuple[TimeWindow, ...], chart: ChartHint
) -> tuple[ReadingsRequest, tuple[str, ...]]:
    """The request for the things that ``slots`` want apart; raises ReadingStops for more."""
    peers = slots.peers
    assert peers is not None
    chosen = chosen_quantities(slots, settled)
    if len(chosen) > 1 or len(windows) != 1 or chart.kind or len(slots.measures) > 1:
        raise stop(
            Why.NOT_UNDERSTOOD,
            "I can hold things against the others by one quantity over one time."
            " Please ask for one, without a chart.",
        )
    one = chosen[0]
    instant = slots.at_instant
    measure = next(iter(slots.measures), Measure.LATEST if instant else Measure.AVERAGE)
    many = len(one.quantity.metrics) > 1 and not one.quantity.summed
    if many and peers.noun not in _PARTS and peers.noun not in one.quantity.label.lower():
        many = False
    groups = [Group.RACK] if peers.noun == "rack" else [Group.OWNER]
    groups += [Group.RACK] if peers.of_rack else []
    groups += [Group.INDEX] if many else []
    if one.owners.kind is not EntityKind.NODE and Group.RACK in groups:
        raise stop(Why.NOT_UNDERSTOOD, f"{one.quantity.label} is none of racks or their nodes.")
    request = ReadingsRequest(
        wanted=Wanted.MEASURES,
        quantities=(one.quantity,),
        owners=(one.owners,),
        windows=windows,
        instant=instant,
        measures=(measure,),
        groups=tuple(groups),
        peers=peers,
    )
    return request, (*one.notes, _rule(peers))


def _rule(peers: PeerWords) -> str:
    """By which rule things differ, in words."""
    who = "the others" if peers.of_others else "all"
    within = " of its rack" if peers.of_rack else " of its node" if peers.of_node else ""
    if peers.percent is None:
        side = "" if peers.side is Side.EITHER else f" {peers.side.value} it"
        return (
            f"Far off is what lies more than 3 robust standard deviations{side} from the median of"
            f" all{within} (1.4826 times the median distance from the median)."
        )
    middle = "median" if peers.median else "mean"
    return f"Each is held against the {middle} of {who}{within}, each of which counts once."


def apart(table: Shaped, peers: PeerWords, label: str) -> tuple[Shaped, str]:
    """The rows of ``table`` that differ from the others, the farthest first, and what to note."""
    value = next(c for c in table.columns if c.role is Role.VALUE)
    x = pl.col(value.variable)
    over = _within(table, peers)
    known = table.frame.filter(x.is_not_null())
    count = known.height
    known = known.with_columns(over(pl.len()).alias("peers")).filter(pl.col("peers") >= FEWEST)
    if not known.height:
        raise stop(Why.NOT_UNDERSTOOD, f"There are fewer than {FEWEST} to hold against each other.")
    middle = x.median() if peers.median or peers.percent is None else x.mean()
    known = known.with_columns(over(middle).alias("middle"))
    if peers.of_others and peers.percent is not None and not peers.median:
        rest = (over(x.sum()) - x) / (pl.col("peers") - 1)
        known = known.with_columns(rest.alias("middle"))
    known = known.with_columns((x - pl.col("middle")).alias("off"))
    if peers.percent is None:
        spread = _SCALE * over(pl.col("off").abs().median())
        known = known.with_columns((pl.col("off") / spread).alias("by"))
        limit, unit, heading = _FAR, "", "robust standard deviations"
        if not known.filter(pl.col("by").is_finite()).height:
            raise stop(Why.NOT_UNDERSTOOD, f"Most values of {label} are alike: none is far off.")
    else:
        known = known.with_columns((100 * pl.col("off") / pl.col("middle").abs()).alias("by"))
        limit, unit, heading = peers.percent, "%", "deviation"
    found = known.filter(_beyond(peers.side, limit)).sort(
        pl.col("by").abs(), descending=True, maintain_order=True
    )
    columns = (
        *table.columns,
        Column("middle", _heading(peers), Role.VALUE, value.unit),
        Column("by", heading, Role.VALUE, unit),
    )
    frame = found.select([c.variable for c in columns])
    note = f"{count} were compared, {frame.height} of them differ so far."
    return replace(table, name=DEVIATIONS, columns=columns, frame=frame), note


def _heading(peers: PeerWords) -> str:
    middle = "median" if peers.median or peers.percent is None else "mean"
    return f"{middle} of {'the others' if peers.of_others and peers.percent is not None else 'all'}"


def _within(table: Shaped, peers: PeerWords) -> Callable[[pl.Expr], pl.Expr]:
    """What computes an expression over the others of each row."""
    names = {c.variable for c in table.columns}
    key = "rack" if peers.of_rack else "node" if peers.of_node and "index" in names else ""
    if key not in names:
        # without others of its own a row has all: one constant for every one
        return lambda expression: expression.over(pl.lit(1))
    return lambda expression: expression.over(key)


def _beyond(side: Side, limit: float) -> pl.Expr:
    by = pl.col("by")
    if side is Side.ABOVE:
        return by > limit
    return by < -limit if side is Side.BELOW else by.abs() > limit
