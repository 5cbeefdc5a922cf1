"""Digests: questions that are put again at set times, and answered in a channel."""
