"""Exits with 0 where the odabot of this container lives, else with 1 and the reason.

A container runs one command; whichever it is, it answers /healthz on a port of its own. A command
that serves nothing is not healthy, and over before anybody asks.
"""

import os
import sys
import urllib.error
import urllib.request

PORTS = {
    "ODABOT_HTTP__PORT": 8770,
    "ODABOT_HTTP__WORKER_PORT": 8771,
    "ODABOT_PAGE__PORT": 8765,
    "ODABOT_MCP__RETRIEVAL_PORT": 8766,
    "ODABOT_MCP__SANDBOX_PORT": 8767,
}
_SECONDS = 5
# A proxy that the environment names is for elsewhere.
_DIRECTLY = urllib.request.build_opener(urllib.request.ProxyHandler({}))


def complaint_at(port: str) -> str | None:
    """Why what listens on ``port`` does not live; None where it does. Raises OSError."""
    address = f"http://127.0.0.1:{port}/healthz"
    try:
        with _DIRECTLY.open(address, timeout=_SECONDS) as answer:
            answer.read()
            return None
    except urllib.error.HTTPError as error:
        return f"{address}: {error.code} {error.read(2000).decode(errors='replace')}"


def main() -> int:
    """0 where one port's server lives, else 1."""
    for name, usual in PORTS.items():
        port = os.environ.get(name) or str(usual)  # noqa: TID251 - odabot itself is not asked
        try:
            complaint = complaint_at(port)
        except OSError:
            continue
        if complaint:
            sys.stdout.write(complaint + "\n")
        return 1 if complaint else 0
    sys.stdout.write("nothing answers\n")
    return 1


if __name__ == "__main__":
    sys.exit(main())
