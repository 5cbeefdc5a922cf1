"""Draws a bar chart, of one group or of several beside each other."""

import sys

from chart_bars import bars_of, draw_bars
from chart_page import Page
from chart_run import run


def draw_bar_chart(page: Page) -> None:
    """The bars of the specification on a page."""
    draw_bars(page, bars_of(page))


if __name__ == "__main__":
    sys.exit(run(draw_bar_chart))
