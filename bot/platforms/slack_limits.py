"""How much of what one Slack message holds; some of it is written nowhere and was measured."""

BLOCKS = 50
SECTION = 3000
"""Characters of a section's or context's text, its escapes counted."""
MESSAGE = 11_000
"""Characters of all blocks together: the measured limit is about 13,000, the lowest seen 12,000."""
TEXT = 3900
"""Characters of a message's plain text, its escapes counted."""
ELEMENTS = 25
"""Buttons of one row."""
LABEL = 75
"""Characters on a button, or of an option."""
VALUE = 2000
"""Characters that a button carries."""
OPTION_VALUE = 150
OPTIONS = 100
BLOCK_ID = 255
TABLE_ROWS = 100
CELL = 200
"""Characters of a table's cell: more would be no preview."""
