"""Run inside morph-kgc's own environment: a graph made from Parquet by a mapping, then asked."""

import json
import sys
import tempfile
import time
from pathlib import Path

import morph_kgc

ODA = "https://odabot.example/oda#"
DATA = "https://odabot.example/data/"
MAPPING = """
@prefix rr: <http://www.w3.org/ns/r2rml#> .
@prefix rml: <http://semweb.mmlab.be/ns/rml#> .
@prefix ql: <http://semweb.mmlab.be/ns/ql#> .
@prefix oda: <ODA> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
<#readings> a rr:TriplesMap ;
  rml:logicalSource [ rml:source "PARQUET" ; rml:referenceFormulation ql:CSV ] ;
  rr:subjectMap [ rr:template "DATAreading/{node}/{timestamp}" ; rr:class oda:Reading ] ;
  rr:predicateObjectMap [ rr:predicate oda:isReadingOf ;
    rr:objectMap [ rr:template "DATAsensor/ipmi_pub/total_power/node/{node}" ] ] ;
  rr:predicateObjectMap [ rr:predicate oda:value ;
    rr:objectMap [ rml:reference "value" ; rr:datatype xsd:double ] ] ;
  rr:predicateObjectMap [ rr:predicate oda:timestamp ;
    rr:objectMap [ rml:reference "timestamp" ; rr:datatype xsd:dateTime ] ] .
<#sensors> a rr:TriplesMap ;
  rml:logicalSource [ rml:source "PARQUET" ; rml:referenceFormulation ql:CSV ] ;
  rr:subjectMap [ rr:template "DATAsensor/ipmi_pub/total_power/node/{node}" ] ;
  rr:predicateObjectMap [ rr:predicate oda:hasReading ;
    rr:objectMap [ rr:template "DATAreading/{node}/{timestamp}" ] ] .
"""


def main() -> None:
    """Print the seconds of making the graph as JSON; questions are left to what holds it."""
    with tempfile.TemporaryDirectory() as folder:
        mapping = Path(folder) / "mapping.ttl"
        text = (
            MAPPING.replace("PARQUET", sys.argv[1]).replace("DATA", DATA).replace("ODA>", ODA + ">")
        )
        mapping.write_text(text)
        started = time.perf_counter()
        graph = morph_kgc.materialize_oxigraph(f"[readings]\nmappings={mapping}\n")
        load = time.perf_counter() - started
    print(json.dumps({"load": load, "seconds": [f"{len(graph)} triples"]}))


main()
