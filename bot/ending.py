"""The end of the process, once all that was opened is closed."""

import logging
import os
import sys
import threading
from contextlib import suppress


def end(code: int) -> None:
    """Leave with ``code`` where a thread is at work that nobody waits for; else return.

    Such a thread may be amid a library that is loaded. The interpreter's own end stops it there,
    which such libraries answer by aborting the process.
    """
    if not any(thread.daemon for thread in threading.enumerate()):
        return
    logging.shutdown()
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):
            stream.flush()
    os._exit(code)
