"""A certificate of one's own for ``localhost``, and the file by which clients know it."""

import ssl
from pathlib import Path

import trustme


def self_signed(folder: Path) -> tuple[ssl.SSLContext, Path]:
    """The server's context, and the path of the authority's certificate."""
    authority = trustme.CA()
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert("localhost", "127.0.0.1").configure_cert(context)
    path = folder / "mattermost-ca.pem"
    authority.cert_pem.write_to_path(str(path))
    return context, path
