"""Namespaces, and the few terms that code names directly."""

from typing import Final

ODA: Final = "https://odabot.example/oda#"
"""The ontology's terms. The host is reserved by RFC 2606: a name, never an address."""
DATA: Final = "https://odabot.example/data/"
"""The things of a site: ``DATA + "node/900"``."""
FUNCTION: Final = "https://odabot.example/function#"
"""The analytic functions that queries may call beside SPARQL's own."""
RDF: Final = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
RDFS: Final = "http://www.w3.org/2000/01/rdf-schema#"
OWL: Final = "http://www.w3.org/2002/07/owl#"
XSD: Final = "http://www.w3.org/2001/XMLSchema#"

RDF_TYPE: Final = RDF + "type"
SENSOR: Final = ODA + "Sensor"
READING: Final = ODA + "Reading"
JOB: Final = ODA + "Job"
HAS_READING: Final = ODA + "hasReading"
VALUE: Final = ODA + "value"
TIMESTAMP: Final = ODA + "timestamp"
RUNS_ON: Final = ODA + "runsOn"

PREFIXES: Final = {"oda": ODA, "d": DATA, "odaf": FUNCTION, "xsd": XSD, "rdf": RDF, "rdfs": RDFS}
"""The prefixes that our own queries declare."""

DATATYPES: Final = (
    *(XSD + name for name in ("string", "boolean", "integer", "decimal", "float", "double")),
    *(XSD + name for name in ("dateTime", "date", "time", "duration", "dayTimeDuration")),
    RDF + "langString",
    *(FUNCTION + name for name in ("sample", "numberPair", "markedSample", "episodes")),
)
"""Datatypes that the values of a query may have."""
