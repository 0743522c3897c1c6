"""A server on loopback that gives the answers that a test lists, in turn, and notes the requests."""

from __future__ import annotations

import contextlib
import json
import threading
from collections.abc import Callable
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass
class Attempt:
    method: str
    path: str
    headers: dict[str, str]
    body: bytes


Behaviour = Callable[[BaseHTTPRequestHandler], None]


def answer(status: int, body: Any, headers: dict[str, str] | None = None) -> Behaviour:
    def behave(handler: BaseHTTPRequestHandler) -> None:
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        handler.send_response(status)
        # Otherwise a client may send the next request over a connection that is about to be closed.
        ended = {"connection": "close", "content-length": str(len(data))}
        given = {"content-type": "application/json", **ended, **(headers or {})}
        for name, value in given.items():
            handler.send_header(name, value)
        handler.end_headers()
        handler.wfile.write(data)

    return behave


def problem(status: int, code: str, headers: dict[str, str] | None = None, **fields: Any) -> Behaviour:
    return answer(status, {"code": code, "title": code, "status": status, "request_id": "req_1", **fields}, headers)


def reset(handler: BaseHTTPRequestHandler) -> None:
    """Closes the connection without a byte."""
    handler.connection.close()


def cut_off(handler: BaseHTTPRequestHandler) -> None:
    """Half a response."""
    handler.send_response(200)
    handler.send_header("content-length", "100")
    handler.end_headers()
    handler.wfile.write(b'{"id":')
    handler.wfile.flush()
    handler.connection.close()


class FaultServer:
    def __init__(self) -> None:
        self.attempts: list[Attempt] = []
        self.behaviours: list[Behaviour] = []
        self.released = threading.Event()
        faults = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def handle_any(self) -> None:
                self.close_connection = True
                body = self.rfile.read(int(self.headers.get("content-length") or 0))
                headers = {name.lower(): value for name, value in self.headers.items()}
                faults.attempts.append(Attempt(self.command, self.path, headers, body))
                number = min(len(faults.attempts), len(faults.behaviours)) - 1
                with contextlib.suppress(OSError):
                    faults.behaviours[number](self)

            do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = handle_any

            def log_message(self, format: str, *args: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"

    def silence(self, handler: BaseHTTPRequestHandler) -> None:
        """Keeps the connection open without a byte, until the test ends."""
        self.released.wait(60)

    def __enter__(self) -> FaultServer:
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self.released.set()
        self._server.shutdown()
        self._server.server_close()
