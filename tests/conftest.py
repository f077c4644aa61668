"""What the tests that drive a browser share: Chromium, an ear for what a page says, and a small web server.

Nothing here is imported before a test asks for it: the kernels' tests run without a browser.
"""

from __future__ import annotations

import gzip
import mimetypes
import os
import subprocess
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import cache
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """A headless Chromium: the one that CHROMIUM names, or the one on the PATH."""
    from playwright.sync_api import sync_playwright

    found = os.environ.get("CHROMIUM")
    if not found:
        command = ["bash", "-c", "source ci/setup.sh; find_chromium"]
        found = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False).stdout.strip()
    if not found:
        pytest.fail("Chromium was not found: install it, or set CHROMIUM to its path.")
    flags = ["--disable-gpu", "--disable-quic", "--force-color-profile=srgb"]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=found, args=flags, chromium_sandbox=os.geteuid() != 0
        )
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def listen() -> Callable[..., list[str]]:
    """A function of a page and a web address: the list of what goes wrong there, filled as it happens.

    That is every message of the console, error, failed request and bad answer, and every request to somewhere
    other than the page itself, its files and the web address.
    """

    def start(page: Page, web: str = "file:") -> list[str]:
        complaints: list[str] = []

        def asked(address: str) -> None:
            if not address.startswith(("file:", "data:", "blob:", web)):
                complaints.append(f"asked: {address}")

        def failed(how: str, address: str) -> None:
            if how != "net::ERR_ABORTED":  # the page was left before it came
                complaints.append(f"failed: {address}: {how}")

        def answered(status: int, address: str) -> None:
            if status >= HTTPStatus.BAD_REQUEST:
                complaints.append(f"status {status}: {address}")

        page.on("console", lambda message: complaints.append(f"{message.type}: {message.text}"))
        page.on("pageerror", lambda error: complaints.append(f"error: {error}"))
        page.on("requestfailed", lambda request: failed(request.failure or "", request.url))
        page.on("request", lambda request: asked(request.url))
        page.on("response", lambda response: answered(response.status, response.url))
        return complaints

    return start


@pytest.fixture(scope="session")
def serve() -> Iterator[Callable[[Path], str]]:
    """A function of a folder: the address of a web server on this machine that sends its files gzipped."""
    with ExitStack() as stack:

        @cache
        def start(folder: Path) -> str:
            server = Server(("127.0.0.1", 0), gzipping(folder))
            thread = threading.Thread(target=server.serve_forever, daemon=True)
            thread.start()
            stack.callback(thread.join)
            stack.callback(server.server_close)
            stack.callback(server.shutdown)
            return f"http://127.0.0.1:{server.server_port}"

        yield start


class Server(ThreadingHTTPServer):
    request_queue_size = 64  # a browser asks for many files at once


def gzipping(folder: Path) -> type[BaseHTTPRequestHandler]:
    """A handler of GET that sends a folder's files as a common host of static pages does."""
    compressed: dict[Path, bytes] = {}

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            file = (folder / unquote(urlsplit(self.path).path).lstrip("/")).resolve()
            if not file.is_relative_to(folder.resolve()) or not file.is_file():
                self.send_error(HTTPStatus.NOT_FOUND)
                return
            kind = mimetypes.guess_type(file.name)[0] or "application/octet-stream"
            # Fonts and pictures are compressed already.
            text = kind.startswith("text/") or kind.endswith(("javascript", "json", "svg+xml"))
            if file not in compressed:
                compressed[file] = gzip.compress(file.read_bytes()) if text else file.read_bytes()
            self.send_response(HTTPStatus.OK)
            self.send_header("Content-Type", f"{kind}; charset=utf-8" if text else kind)
            self.send_header("Content-Length", str(len(compressed[file])))
            self.send_header("Cache-Control", "no-store")
            if text:
                self.send_header("Content-Encoding", "gzip")
            self.end_headers()
            self.wfile.write(compressed[file])

        def log_message(self, format: str, *arguments: object) -> None:
            """Keep the test's output clean."""

    return Handler
