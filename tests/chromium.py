"""A browser that tests drive, by the protocol of its developer tools over a pipe."""

from __future__ import annotations

import json
import os
import shutil
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

#: Presses the button of an audit's page: what is below it before, and when all is done.
PRESSED = """new Promise((resolve) => {
  const button = document.getElementById("recompute");
  const below = () => document.getElementById("recomputed").innerText, before = below();
  new MutationObserver(() => button.disabled || resolve([before, below()]))
    .observe(button, { attributes: true });
  button.click();
})"""


class Chromium:
    """One tab."""

    def __init__(self, sending: int, receiving: int) -> None:
        self._sending, self._receiving = sending, receiving
        self._session: dict[str, str] = {}
        self._rest, self._number = b"", 0
        self.events: list[dict[str, Any]] = []  #: What the tab told of the page.
        target = self._ask("Target.createTarget", url="about:blank")["targetId"]
        attached = self._ask("Target.attachToTarget", targetId=target, flatten=True)
        self._session = {"sessionId": attached["sessionId"]}
        for domain in ("Page", "Log", "Network", "Runtime"):
            self._ask(f"{domain}.enable")

    def _received(self) -> dict[str, Any]:
        while b"\0" not in self._rest:
            read = os.read(self._receiving, 1 << 16)
            if not read:
                pytest.skip("chromium does not run here")
            self._rest += read
        message, _, self._rest = self._rest.partition(b"\0")
        found: dict[str, Any] = json.loads(message)
        return found

    def _ask(self, method: str, **params: Any) -> dict[str, Any]:
        self._number += 1
        message = {"id": self._number, "method": method, "params": params, **self._session}
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self._sending, data) :]
        while (found := self._received()).get("id") != self._number:
            self.events.append(found)
        result: dict[str, Any] = found["result"]
        return result

    def open(self, page: Path, fragment: str = "") -> None:
        """Load a file anew, with what stands behind the # of its address."""
        urls = [page.as_uri()]
        if fragment:  # another fragment alone loads nothing
            urls = ["about:blank", f"{page.as_uri()}#{fragment}"]
        for url in urls:
            self.events.clear()
            self._ask("Page.navigate", url=url)
            while all(event.get("method") != "Page.loadEventFired" for event in self.events):
                self.events.append(self._received())

    def run(self, script: str) -> Any:
        """What a script of the page's gives, or promises."""
        found = self._ask(
            "Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True
        )
        assert "exceptionDetails" not in found, found
        return found["result"].get("value")

    def told(self, method: str) -> list[dict[str, Any]]:
        """The events of a kind since the page was opened."""
        return [event["params"] for event in self.events if event.get("method") == method]


@contextmanager
def chromium(folder: Path) -> Iterator[Chromium]:
    """A browser with its profile in a folder."""
    path = shutil.which("chromium")
    if path is None:
        pytest.skip("chromium is not here")
    fcntl = pytest.importorskip("fcntl")

    def above(pair: tuple[int, int]) -> list[int]:  # so that 3 and 4 are free for the browser
        found = [fcntl.fcntl(own, fcntl.F_DUPFD_CLOEXEC, 10) for own in pair]
        for own in pair:
            os.close(own)
        return found

    (theirs, sending), (receiving, answering) = above(os.pipe()), above(os.pipe())
    options = ["--headless=new", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe"]
    options.append(f"--user-data-dir={folder / 'profile'}")
    pid = os.posix_spawn(
        path, [path, *options], os.environ, setpgroup=0,
        file_actions=[
            (os.POSIX_SPAWN_DUP2, theirs, 3), (os.POSIX_SPAWN_DUP2, answering, 4),
            (os.POSIX_SPAWN_OPEN, 2, str(folder / "log"), os.O_WRONLY | os.O_CREAT, 0o600),
        ],
    )  # fmt: skip
    os.close(theirs)
    os.close(answering)
    try:
        yield Chromium(sending, receiving)
    finally:
        os.killpg(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
        os.close(sending)
        os.close(receiving)
