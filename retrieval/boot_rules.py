"""Reboots: nodes whose time of boot lies in the window that is asked about."""

from retrieval.data_request import ReadingsRequest
from retrieval.measures import Comparison, Condition, Group, Wanted
from retrieval.metric_choice import Chosen
from retrieval.request import TimeWindow
from retrieval.slots import Slots


def reboots(
    slots: Slots,
    one: Chosen,
    windows: tuple[TimeWindow, ...],
    notes: tuple[str, ...],
) -> tuple[ReadingsRequest, tuple[str, ...]]:
    """Reboots in a window, as a bound on the boot time itself."""
    window = windows[0]
    condition = Condition(
        Comparison.AT_LEAST,
        window.start.timestamp(),
        words="boot time in the window",
        upper=window.end.timestamp() - (0 if window.includes_end else 1),
    )
    request = ReadingsRequest(
        wanted=Wanted.OWNER_COUNT if slots.counts_owners else Wanted.OWNERS,
        quantities=(one.quantity,),
        owners=(one.owners,),
        windows=windows,
        groups=(Group.OWNER,),
        condition=condition,
    )
    said = "A node counts as rebooted where its boot time lies in the window."
    return request, (*notes, said)
