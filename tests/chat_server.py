"""A chat endpoint on this machine for tests: answers by a function, and misbehaves when told to.

``with ChatServer(lambda request: "hello") as server: Chat(url=server.url, model="m")``
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

__all__ = ["ChatServer", "Wire", "completion", "said"]


@dataclass
class Wire:
    """One response as it goes over the wire. `seconds` of silence come first; `cut` sends half the body."""

    body: dict | str = ""
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    seconds: float = 0
    cut: bool = False
    drip: bool = False


def completion(text: str | None, finish: str = "stop", refusal: str | None = None, usage=(10, 5)) -> dict[str, Any]:
    """The body of a chat completion."""
    message = {"role": "assistant", "content": text, "refusal": refusal}
    body = {"id": "x", "object": "chat.completion", "created": 0, "model": "m"}
    if usage:
        body["usage"] = {"prompt_tokens": usage[0], "completion_tokens": usage[1], "total_tokens": sum(usage)}
    return body | {"choices": [{"index": 0, "message": message, "finish_reason": finish}]}


def said(request: dict) -> str:
    """Text of the last message of a request."""
    content = request["messages"][-1]["content"]
    return content if isinstance(content, str) else " ".join(part.get("text", "") for part in content)


class ChatServer:
    """An OpenAI-compatible server in a thread.

    Parameters
    ----------
    answer : function of the request body
        Returns text, the body of a completion, or a `Wire`. Echoes the last message by default.
    script : iterable of the same
        Given first, in turn, before `answer` is asked.
    usage : (prompt, completion) tokens of answers given as text

    Attributes
    ----------
    requests, headers : list
        What came in, in order.
    busiest : int
        Most requests under way at once.
    """

    def __init__(self, answer: Callable[[dict], Any] = said, script: Iterable[Any] = (), usage=(10, 5)):
        self.answer, self.script, self.usage = answer, list(script), usage
        self.requests: list[dict] = []
        self.headers: list[dict] = []
        self.busy = self.busiest = 0
        self._lock, self._closing = threading.Lock(), threading.Event()

    def __enter__(self) -> ChatServer:
        server = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                server._serve(self)

            def log_message(self, *_):
                pass

        self._http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._http.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._http.server_port}/v1"
        threading.Thread(target=self._http.serve_forever, args=(0.02,), daemon=True).start()
        return self

    def __exit__(self, *_):
        self._closing.set()
        self._http.shutdown()
        self._http.server_close()

    def _serve(self, http: BaseHTTPRequestHandler) -> None:
        request = json.loads(http.rfile.read(int(http.headers["Content-Length"])))
        with self._lock:
            self.requests.append(request)
            self.headers.append({name.lower(): value for name, value in http.headers.items()})
            self.busy += 1
            self.busiest = max(self.busiest, self.busy)
            scripted = self.script.pop(0) if self.script else None
        try:
            if http.path != "/v1/chat/completions":
                scripted = Wire("no such path", 404)
            self._send(http, self.answer(request) if scripted is None else scripted)
        except (BrokenPipeError, ConnectionResetError):
            http.close_connection = True
        finally:
            with self._lock:
                self.busy -= 1

    def _send(self, http: BaseHTTPRequestHandler, reply: Any) -> None:
        if isinstance(reply, str):
            reply = completion(reply, usage=self.usage)
        wire = reply if isinstance(reply, Wire) else Wire(reply)
        body = (wire.body if isinstance(wire.body, str) else json.dumps(wire.body)).encode()
        self._closing.wait(wire.seconds)
        with self._lock:  # counted as done before the client can know it
            self.busy -= 1
        try:
            http.send_response(wire.status)
            for name, value in ({"Content-Type": "application/json"} | wire.headers).items():
                http.send_header(name, value)
            http.send_header("Content-Length", str(len(body)))
            http.end_headers()
            if wire.drip:
                for byte in body:
                    http.wfile.write(bytes([byte]))
                    http.wfile.flush()
                    time.sleep(0.02)
            else:
                http.wfile.write(body[: len(body) // 2] if wire.cut else body)
            if wire.cut:
                http.close_connection = True
        finally:
            with self._lock:
                self.busy += 1
