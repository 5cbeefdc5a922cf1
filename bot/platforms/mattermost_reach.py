"""Whether a server is reached and trusted, and in words of the one who sets it up why not."""

import socket
import ssl
from contextlib import closing
from pathlib import Path
from urllib.parse import urlsplit

from bot.errors import PlatformError

_SECONDS = 10.0
_PORTS = {"https": 443, "http": 80}


def try_reach(url: str, ca_file: Path | None, seconds: float = _SECONDS) -> None:
    """Return once a connection stood, over TLS for https; raises PlatformError."""
    parts = urlsplit(url)
    host, port = parts.hostname or "", parts.port or _PORTS[parts.scheme]
    trusted = trusted_by(ca_file) if parts.scheme == "https" else None
    try:
        connection = socket.create_connection((host, port), seconds)
    except socket.gaierror as error:
        raise PlatformError(f"no address is known for {host}") from error
    except TimeoutError as error:
        raise PlatformError(
            f"nothing answers at {host} port {port} within {seconds:.0f} seconds"
        ) from error
    except OSError as error:
        raise PlatformError(f"nothing listens on {host} port {port} ({error.strerror})") from error
    with closing(connection):
        if trusted is not None:
            _shake_hands(trusted, connection, host, port)


def trusted_by(ca_file: Path | None) -> ssl.SSLContext:
    """Whom we trust, the system's authorities without ``ca_file``; raises PlatformError."""
    try:
        return ssl.create_default_context(cafile=ca_file)
    except OSError as error:
        # What is no certificate is an ssl.SSLError, which is an OSError too.
        raise PlatformError(f"{ca_file} (ca_file) holds no certificate (PEM): {error}") from error


def _shake_hands(trusted: ssl.SSLContext, connection: socket.socket, host: str, port: int) -> None:
    try:
        trusted.wrap_socket(connection, server_hostname=host).close()
    except ssl.SSLCertVerificationError as error:
        raise PlatformError(
            f"the certificate of {host} is not trusted ({error.verify_message}): name the"
            " authority that signed it in ODABOT_MATTERMOST__CA_FILE"
        ) from error
    except ssl.SSLError as error:
        raise PlatformError(
            f"{host} port {port} speaks no TLS: does the address begin with http:?"
        ) from error
    except OSError as error:
        raise PlatformError(f"{host} port {port} hung up ({error})") from error
