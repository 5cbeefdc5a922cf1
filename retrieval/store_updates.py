"""The updates that graph stores are sent, all of them on one subject of one graph."""


def restatement(graph: str, subject: str, triples: bytes, *, known: bool) -> str:
    """The SPARQL update that replaces what ``graph`` says of ``subject``.

    With ``known``, it changes nothing where the graph says nothing.
    """
    said = f"GRAPH <{graph}> {{ <{subject}> ?p ?o }}"
    if not triples:
        return f"DELETE WHERE {{ {said} }}"
    new = f"GRAPH <{graph}> {{ {triples.decode()} }}"
    where = said if known else f"OPTIONAL {{ {said} }}"
    return f"DELETE {{ {said} }} INSERT {{ {new} }} WHERE {{ {where} }}"
