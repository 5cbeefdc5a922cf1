"""A headless Chromium, spoken to over its debugging pipe; only for tests of the page."""

import base64
import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, Self

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
_FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
    "--hide-scrollbars",
    "--remote-debugging-pipe",
)
# The browser's ends of the pipes must be the descriptors 3 and 4.
_LAUNCH = """
import fcntl, os, sys
ends = [fcntl.fcntl(int(end), fcntl.F_DUPFD, 10) for end in sys.argv[1:3]]
os.dup2(ends[0], 3)
os.dup2(ends[1], 4)
os.execv(sys.argv[3], sys.argv[3:])
"""


class Browser:
    """One tab; leaves nothing behind outside ``folder``."""

    def __init__(self, folder: Path) -> None:
        """``folder`` holds the browser's profile."""
        assert CHROMIUM is not None
        to_browser, self._to = os.pipe()
        self._from, from_browser = os.pipe()
        profile = f"--user-data-dir={folder / 'profile'}"
        ends = (str(to_browser), str(from_browser))
        self._process = subprocess.Popen(
            [sys.executable, "-c", _LAUNCH, *ends, CHROMIUM, *_FLAGS, profile, "about:blank"],
            pass_fds=(to_browser, from_browser),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(to_browser)
        os.close(from_browser)
        self._pending = b""
        self._number = 0
        self._session = ""
        page = next(
            t for t in self._call("Target.getTargets")["targetInfos"] if t["type"] == "page"
        )
        attached = self._call("Target.attachToTarget", targetId=page["targetId"], flatten=True)
        self._session = attached["sessionId"]
        self._call("Page.enable")
        self._call(
            "Browser.grantPermissions",
            permissions=["clipboardReadWrite", "clipboardSanitizedWrite"],
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._end()

    def _end(self) -> None:
        os.close(self._to)
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        os.close(self._from)

    def look_like(self, width: int, height: int, *, dark: bool = False) -> None:
        """Take the size of a window or a phone, and the colours that its owner prefers."""
        self._call(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=width < 600,
        )
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self._call("Emulation.setEmulatedMedia", features=[scheme])

    def go(self, url: str) -> None:
        """Open ``url``."""
        self._call("Page.navigate", url=url)

    def run(self, script: str) -> Any:
        """What the JavaScript expression ``script`` gives in the page."""
        answer = self._call(
            "Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True
        )
        if "exceptionDetails" in answer:
            raise AssertionError(answer["exceptionDetails"]["exception"]["description"])
        return answer["result"].get("value")

    def wait_for(self, condition: str, seconds: float = 15.0) -> None:
        """Return once the JavaScript ``condition`` holds."""
        give_up = time.monotonic() + seconds
        while not self._holds(condition):
            if time.monotonic() > give_up:
                raise AssertionError(f"never came true: {condition}")
            time.sleep(0.05)

    def _holds(self, condition: str) -> bool:
        try:
            return bool(self.run(f"Boolean({condition})"))
        except AssertionError as error:
            # The page was left while it was asked, as by a reload.
            if "navigated" in str(error):
                return False
            raise

    def press(self, key: str, code: int = 0, text: str = "") -> None:
        """Press and release a key; ``text`` is what it writes."""
        for kind in ("keyDown", "keyUp"):
            self._call(
                "Input.dispatchKeyEvent",
                type=kind,
                key=key,
                code=key,
                windowsVirtualKeyCode=code,
                text=text if kind == "keyDown" else "",
            )

    def write(self, text: str) -> None:
        """Type ``text`` where the focus is."""
        self._call("Input.insertText", text=text)

    def screenshot(self, path: Path) -> None:
        """Save what can be seen as a PNG."""
        path.write_bytes(base64.b64decode(self._call("Page.captureScreenshot")["data"]))

    def _call(self, method: str, **parameters: object) -> dict[str, Any]:
        self._number += 1
        message: dict[str, object] = {"id": self._number, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._to, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._read()
            if answer.get("id") == self._number:
                if "error" in answer:
                    raise AssertionError(f"{method}: {answer['error']}")
                result: dict[str, Any] = answer["result"]
                return result

    def _read(self) -> dict[str, Any]:
        while b"\0" not in self._pending:
            chunk = os.read(self._from, 1 << 16)
            if not chunk:
                raise AssertionError("the browser has ended")
            self._pending += chunk
        line, _, self._pending = self._pending.partition(b"\0")
        message: dict[str, Any] = json.loads(line)
        return message
