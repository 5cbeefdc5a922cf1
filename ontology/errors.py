"""Errors of the ontology package.

OntologyError
  OntologyFileError     the ontology file is missing, is not valid Turtle, or contradicts itself
  NotAQuery             a text cannot be read as a query; the gate makes a rejection of it
"""


class OntologyError(Exception):
    """The ontology cannot be used."""


class OntologyFileError(OntologyError):
    """The ontology file is missing, is not valid Turtle, or contradicts itself."""


class NotAQuery(OntologyError, ValueError):
    """A text cannot be read as a query; the gate makes a rejection of it."""
