"""How much of what one Mattermost post holds, in version 5.37."""

MESSAGE = 15_500
"""Characters of its words; the server takes 16,383, and a note on a choice may follow."""
OLD_MESSAGE = 4_000
"""What a server takes whose database is from before version 5."""
PROPS = 7_500
"""Characters of its attachments as the server writes them; it takes 8,000 of all properties."""
FILES = 10
BUTTONS = 25
LABEL = 75
"""Characters on a button or of an option, as more are not read."""
CELL = 200
"""Characters of a table's cell: more would be no preview."""
