"""Questions on their way: within the budget, a few at a time, again after a passing fault, repaired once.

All of it runs on one event loop in one thread of its own, so that nothing needs a lock and a notebook's running loop
is no obstacle.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import threading
import time
import weakref
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from pydantic import BaseModel, SecretStr

from ._wire import ChatError, Reply, open_client, send
from .budget import Meter
from .structured import parse, response_format, what_is_wrong
from .tools import Tool, tool_schema

__all__ = ["Sender", "schema_request", "size_of", "texts_of"]

Messages = list[dict[str, Any]]
Output = type[BaseModel] | None

_OPTIONAL = ("response_format", "temperature", "max_tokens")
_UNSET = "no chat endpoint is set. Set HGWORK_CHAT_URL and HGWORK_CHAT_MODEL, or pass url= and model=."
_REPAIR = (
    "That answer does not fit: {fault}. Answer again with one JSON value that fits this JSON schema, and with nothing "
    "before or after it:\n{schema}"
)
_SCHEMA = "Answer with one JSON value that fits this JSON schema, and with nothing before or after it:\n{schema}"


@dataclass(eq=False, repr=False)
class Sender:
    """The way to one endpoint; `Chat` documents the settings."""

    url: str | None
    model: str | None
    key: SecretStr
    meter: Meter
    concurrency: int
    max_retries: int
    timeout: float
    max_wait: float
    temperature: float | None
    max_tokens: int | None
    options: dict[str, Any]
    sleep: Callable[[float], Awaitable[Any]]
    unsupported: frozenset[str] = frozenset()
    process: int = field(default=0, init=False)
    starting: threading.Lock = field(default_factory=threading.Lock, init=False)

    def run(self, work: Coroutine[Any, Any, Any]) -> Any:
        """Run a coroutine on the sender's loop; an interrupt cancels it."""
        with self.starting:
            self._start()
        future = asyncio.run_coroutine_threadsafe(work, self.loop)
        try:
            return future.result()
        except BaseException:
            future.cancel()
            raise

    def _start(self) -> None:
        if self.process != os.getpid():  # also after a fork, which takes no thread along
            self.process, self.loop, self.clients = os.getpid(), asyncio.new_event_loop(), list[Any]()
            self.slots, self.settled = asyncio.Semaphore(self.concurrency), asyncio.Condition()
            threading.Thread(target=_work, args=(self.loop, self.clients), name="hgwork-chat", daemon=True).start()
            weakref.finalize(self, self.loop.call_soon_threadsafe, self.loop.stop)

    async def converse(
        self, messages: Messages, output: Output, rng: random.Random, tools: Sequence[Tool] = ()
    ) -> tuple[Reply, Any]:
        """(reply, value) of an answer; one that does not fit its model is shown the fault and asked for once more.

        The value of a reply that calls tools is None.
        """
        reply = await self._reply(messages, output, rng, tools)
        text = reply.text
        if reply.calls:
            return reply, None
        if output is None:
            return reply, text
        try:
            return reply, parse(text, output)
        except ValueError as error:
            request = _REPAIR.format(fault=what_is_wrong(error), schema=json.dumps(output.model_json_schema()))
        self.meter.counts["repairs"] += 1
        repair = [*messages, {"role": "assistant", "content": text}, {"role": "user", "content": request}]
        reply = await self._reply(repair, output, rng, tools, call=False)
        try:
            return reply, parse(reply.text, output)
        except ValueError as error:
            fault = f"after one repair still no {output.__name__}: {what_is_wrong(error)}."
        raise ChatError("invalid", fault)

    async def _reply(
        self, messages: Messages, output: Output, rng: random.Random, tools: Sequence[Tool] = (), call: bool = True
    ) -> Reply:
        attempt = 0
        while True:
            without = self.unsupported
            try:
                return _usable(await self._send(messages, output, tools, call), bool(tools) and call)
            except ChatError as error:
                fault = error
            if fault.kind == "rejected":  # a server that knows no such field gets the question without it
                complaint = fault.message.replace("json_schema", "response_format")
                named = {name for name in _OPTIONAL if name in complaint} - without
                if named:
                    self.unsupported |= named
                    continue
            if not fault.passing:
                raise fault
            if attempt == self.max_retries:
                raise ChatError(fault.kind, f"{fault.message} Given up after {attempt + 1} attempts.")
            wait = fault.wait if fault.wait is not None else 2**attempt * (0.5 + rng.random() / 2)
            attempt += 1
            self.meter.counts["retries"] += 1
            await self.sleep(min(wait, self.max_wait))

    async def _send(self, messages: Messages, output: Output, tools: Sequence[Tool], call: bool) -> Reply:
        """One request, sent once it fits the budget and booked when it is done."""
        if not (self.url and self.model):
            raise ChatError("unset", _UNSET)
        size = size_of(messages, tools)
        cap, meter = self.max_tokens, self.meter
        if not self.clients:
            self.clients.append(open_client(self.url, self.key.get_secret_value()))
        async with self.settled:  # wait while what is under way may turn out to leave room
            await self.settled.wait_for(lambda: not meter.held or (meter.ready and meter.fits(size, cap)))
            if not meter.fits(size, cap):
                raise ChatError("budget", f"not sent: it would exceed {meter.budget}.")
            ticket = object()
            meter.hold(ticket, size, cap)
        usage, start = None, time.monotonic()
        try:
            reply = await send(self.clients[0], self._request(messages, output, tools, call), self.timeout)
            usage = reply.usage or (size // 4, len(reply.text.encode()) // 4)
        finally:
            meter.settle(ticket, size, usage, time.monotonic() - start)
            async with self.settled:
                self.settled.notify_all()
        return reply

    def _request(self, messages: Messages, output: Output, tools: Sequence[Tool], call: bool) -> dict[str, Any]:
        without = self.unsupported
        request: dict[str, Any] = {"model": self.model, "messages": messages, "extra_body": self.options}
        if tools:
            request["tools"] = [tool_schema(tool) for tool in tools]
            if not call:
                request["tool_choice"] = "none"
        if tools and call:  # a server held to a schema could call nothing; the last message names the schema instead
            pass
        elif output and "response_format" not in without:
            request["response_format"] = response_format(output)
        elif output:
            request["messages"] = [*messages, {"role": "user", "content": schema_request(output)}]
        if self.temperature is not None and "temperature" not in without:
            request["temperature"] = self.temperature
        if self.max_tokens is not None:
            request["max_completion_tokens" if "max_tokens" in without else "max_tokens"] = self.max_tokens
        return request


def _work(loop: asyncio.AbstractEventLoop, clients: list[Any]) -> None:
    """Serve a sender until it is gone, then close what it opened."""
    loop.run_forever()
    for client in clients:
        loop.run_until_complete(client.close())
    loop.close()


def _usable(reply: Reply, may_call: bool) -> Reply:
    if reply.refusal or reply.finish == "content_filter":
        raise ChatError("refusal", reply.refusal or "the server filtered the answer.")
    if reply.finish == "length":
        raise ChatError("length", f"cut after {len(reply.text)} characters. Raise max_tokens or send less text.")
    if not reply.text.strip() and not (reply.calls and may_call):
        raise ChatError("empty", "the server sent no text.", passing=True)
    return reply if may_call else replace(reply, calls=())


def size_of(messages: Messages, tools: Sequence[Tool] = ()) -> int:
    """Bytes of what a request says, the tools and the calls made so far included."""
    calls = [json.dumps(message["tool_calls"]) for message in messages if message.get("tool_calls")]
    schemas = [json.dumps(tool_schema(tool)) for tool in tools]
    return sum(len(text.encode("utf-8", "replace")) for text in [*texts_of(messages), *calls, *schemas])


def schema_request(output: type[BaseModel]) -> str:
    """The words that ask for an answer of a model, for servers that are not held to its schema."""
    return _SCHEMA.format(schema=json.dumps(output.model_json_schema()))


def texts_of(messages: Messages) -> list[str]:
    """Text of the parts of messages; an image counts as some thousand blanks."""
    contents = [message.get("content") or "" for message in messages]
    parts = [part for content in contents for part in ([{"text": content}] if isinstance(content, str) else content)]
    return [part.get("text", " " * 4_000) for part in parts]
