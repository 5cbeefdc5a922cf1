"""The same questions in other tools."""
