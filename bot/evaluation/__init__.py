"""Puts sets of questions, keeps the answers for a grader, and counts what they cost."""
