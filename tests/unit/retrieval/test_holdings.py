"""What a lake has of what the catalogue knows."""

from pathlib import Path

import polars as pl
import pytest

from retrieval.errors import LakeError
from retrieval.holdings import with_holdings
from retrieval.lake import Lake
from retrieval.lake_profile import LakeProfile
from retrieval.query_text import Column, Role
from retrieval.site_request import SiteRequest, Subject
from retrieval.tables import Shaped
from tests.ordinary_user import closed, open_folder, ordinary_user

PLUGINS = Shaped(
    "plugins",
    (Column("plugin", "plugin", Role.KEY),),
    pl.DataFrame({"plugin": ["ganglia_pub", "ipmi_pub", "vertiv_pub"]}),
)


def _lake(folder: Path, *months: str) -> Lake:
    for plugin in ("ipmi_pub", "vertiv_pub"):
        for month in months:
            held = folder / f"year_month={month}" / f"plugin={plugin}" / "metric=m"
            held.mkdir(parents=True)
            pl.DataFrame({"value": [1]}).write_parquet(held / "a.parquet")
    return Lake(folder, LakeProfile())


@pytest.mark.parametrize(
    ("months", "said"),
    [
        (("22-09",), "September 2022"),
        (("22-05", "22-06"), "May 2022 to June 2022"),
        (("21-12", "22-01"), "December 2021 to January 2022"),
    ],
)
def test_a_list_says_how_many_have_data_and_of_which_months(
    tmp_path: Path, months: tuple[str, ...], said: str
) -> None:
    table, note = with_holdings(PLUGINS, SiteRequest(Subject.PLUGINS), _lake(tmp_path, *months))

    assert table is PLUGINS
    assert note == f"The lake has data of 2 of them, in files of {said}."


def test_what_has_no_data_is_left_out_where_that_is_asked(tmp_path: Path) -> None:
    asked = SiteRequest(Subject.PLUGINS, held=True)

    table, note = with_holdings(PLUGINS, asked, _lake(tmp_path, "22-09"))

    assert table.frame["plugin"].to_list() == ["ipmi_pub", "vertiv_pub"]
    assert note == "The files are of September 2022."


def test_a_directory_that_cannot_be_listed_leaves_it_unsaid() -> None:
    with open_folder() as folder:
        _lake(folder, "22-05", "22-06")
        with closed(folder / "year_month=22-05"), ordinary_user():
            lake = Lake(folder, LakeProfile())
            listed = with_holdings(PLUGINS, SiteRequest(Subject.PLUGINS), lake)
            with pytest.raises(LakeError, match="cannot list"):
                with_holdings(PLUGINS, SiteRequest(Subject.PLUGINS, held=True), lake)

    assert listed == (PLUGINS, "")
