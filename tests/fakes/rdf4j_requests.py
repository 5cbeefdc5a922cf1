"""A request and a reply of our stand-in for GraphDB, and the checks that both go through."""

from dataclasses import dataclass, field
from email import message_from_bytes
from email.message import Message
from urllib.parse import parse_qs, unquote, urlsplit

import pyoxigraph as px

FORM = "application/x-www-form-urlencoded"
RDF_FORMATS = {
    "application/n-triples": px.RdfFormat.N_TRIPLES,
    "text/plain": px.RdfFormat.N_TRIPLES,
    "text/turtle": px.RdfFormat.TURTLE,
    "application/trig": px.RdfFormat.TRIG,
    "application/n-quads": px.RdfFormat.N_QUADS,
}
RESULT_FORMATS = {
    "application/sparql-results+json": px.QueryResultsFormat.JSON,
    "application/sparql-results+xml": px.QueryResultsFormat.XML,
    "text/csv": px.QueryResultsFormat.CSV,
}


@dataclass(frozen=True)
class Reply:
    status: int
    body: bytes = b""
    kind: str = "text/plain;charset=UTF-8"
    headers: dict[str, str] = field(default_factory=dict)


class Refused(Exception):
    """The server says no."""

    def __init__(self, status: int, text: str) -> None:
        super().__init__(text)
        self.reply = Reply(status, text.encode())


@dataclass(frozen=True)
class Seen:
    """One request as it arrived."""

    method: str
    target: str
    headers: Message
    body: bytes

    @property
    def path(self) -> tuple[str, ...]:
        return tuple(unquote(part) for part in urlsplit(self.target).path.split("/") if part)

    @property
    def kind(self) -> str:
        return str(self.headers.get("Content-Type", "")).partition(";")[0].strip()

    @property
    def parameters(self) -> dict[str, list[str]]:
        """Of the address, and of the body where it is a form."""
        found = parse_qs(urlsplit(self.target).query, keep_blank_values=True)
        if self.kind == FORM:
            form = parse_qs(self.body.decode("ascii"), keep_blank_values=True)
            found = {name: found.get(name, []) + form.get(name, []) for name in found | form}
        return found

    def only(self, *names: str) -> dict[str, list[str]]:
        """Its parameters; any but ``names`` is refused, which the real server would let pass."""
        strange = [n for n in self.parameters if n not in names and not n.startswith("$")]
        if strange:
            raise Refused(400, f"unknown parameters: {', '.join(strange)}")
        return self.parameters

    def rdf_format(self) -> px.RdfFormat:
        if self.kind not in RDF_FORMATS:
            raise Refused(415, f"Unsupported MIME type: {self.kind}")
        return RDF_FORMATS[self.kind]

    def wanted(self, offered: list[str]) -> str:
        """The first of the media types it accepts that is ``offered``."""
        accepted = str(self.headers.get("Accept", "*/*")).split(",")
        for kind in (each.partition(";")[0].strip() for each in accepted):
            if kind in offered:
                return kind
            if kind == "*/*":
                return offered[0]
        raise Refused(406, "No acceptable file format found.")

    def uploaded(self, name: str) -> str:
        """The text of one file of a multipart form."""
        head = f"Content-Type: {self.headers.get('Content-Type', '')}\r\n\r\n".encode()
        for part in message_from_bytes(head + self.body).walk():
            if part.get_param("name", header="Content-Disposition") == name:
                content = part.get_payload(decode=True)
                assert isinstance(content, bytes)
                return content.decode()
        raise Refused(400, f"Required request part '{name}' is not present")
