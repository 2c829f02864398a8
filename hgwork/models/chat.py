"""The one chat client: any OpenAI-compatible endpoint, named by two settings and never contacted without them.

Answers are typed by a pydantic model, kept on disk, counted against a budget, and can be recorded and replayed, so
that a notebook that used a model once runs again without it. What fails is listed, not retried for ever.
"""

from __future__ import annotations

import asyncio
import os
import random
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pandas as pd
from pydantic import BaseModel, SecretStr
from tqdm import tqdm

from ._sender import Messages, Sender, schema_request, size_of, texts_of
from ._wire import ChatError
from .budget import Budget, Meter, tokens_of
from .cache import AnswerFolder, Recording, request_key
from .structured import parse, what_is_wrong
from .tools import Called, Tool, ToolCall, answer_call, tool_schema

__all__ = ["Answer", "Budget", "Called", "Chat", "ChatError", "Tool"]

_ENDS_A_RUN = ("unset", "auth", "quota", "connection")
_CUT = "error: left out, because the conversation may not exceed {:,} tokens. Answer with what you have."
_LAST = "No call of a tool is left. Answer with what you know now."


@dataclass(frozen=True)
class Answer:
    """One answer, or why there is none.

    Attributes
    ----------
    id : str
    value : str, pydantic model or None
        None where it failed.
    text : str
        As the model wrote it.
    kind : str
        "ok" or the kind of failure (see `ChatError`). `message` says more.
    origin : {"server", "cache", "replay"}
    calls : tuple of ToolCall
        The tools it calls instead of answering.
    """

    id: str
    value: Any = None
    text: str = ""
    kind: str = "ok"
    message: str = ""
    origin: str = "server"
    calls: tuple[ToolCall, ...] = ()

    @property
    def ok(self) -> bool:
        return self.kind == "ok"


class Chat:
    """A chat model behind an OpenAI-compatible endpoint.

    Parameters
    ----------
    url, model, key : str, optional
        By default the variables `HGWORK_CHAT_URL`, `HGWORK_CHAT_MODEL` and `HGWORK_CHAT_KEY`. Without a URL and a
        model nothing is ever contacted; cached and recorded answers are still given.
    cache : path, optional
        Folder of answers, by model, messages, schema, temperature and options. Processes may share it.
    concurrency : int
        Most questions under way at once.
    max_retries : int
        Times a request is sent again after a passing fault, waiting twice as long each time with jitter from `rng`,
        or as long as the server asks, never over `max_wait` seconds.
    timeout : float
        Seconds for one request, from first byte to last.
    budget : Budget, optional
    prices : mapping, optional
        ``{"prompt": …, "completion": …}`` for a million tokens.
    record, replay : path, optional
        JSONL file to append answers to; JSONL file to answer from, without a cache and without any request.
    temperature : float or None
        None leaves it to the server.
    max_tokens : int, optional
        Longest answer.
    options : mapping, optional
        More request fields, such as ``{"seed": 1}``.
    rng : int
        Seed of the jitter.
    sleep : coroutine function
        How to wait; for tests.

    Examples
    --------
    >>> chat = Chat(url="http://localhost:8000/v1", model="small", key="secret", budget=Budget(requests=100))
    >>> chat
    Chat(url='http://localhost:8000/v1', model='small')
    >>> chat.usage["requests"].item()
    0
    """

    def __init__(
        self,
        url: str | None = None,
        model: str | None = None,
        key: str | None = None,
        cache: str | Path | None = None,
        concurrency: int = 4,
        max_retries: int = 5,
        timeout: float = 60,
        budget: Budget | None = None,
        prices: Mapping[str, float] | None = None,
        record: str | Path | None = None,
        replay: str | Path | None = None,
        *,
        temperature: float | None = 0.0,
        max_tokens: int | None = None,
        options: Mapping[str, Any] | None = None,
        max_wait: float = 60,
        rng: int = 0,
        sleep: Callable[[float], Awaitable[Any]] = asyncio.sleep,
    ):
        if concurrency < 1 or max_retries < 0 or timeout <= 0:
            raise ValueError(f"{concurrency=}, {max_retries=}, {timeout=}: at least 1, at least 0, above 0.")
        url, model = url or os.environ.get("HGWORK_CHAT_URL"), model or os.environ.get("HGWORK_CHAT_MODEL")
        secret = SecretStr(key or os.environ.get("HGWORK_CHAT_KEY") or "")
        self._folder = AnswerFolder(cache) if cache and not replay else None
        self._record = Recording(record) if record else None
        self._replay = Recording(replay, required=True) if replay else None
        if self._replay and not model:
            models = {record.get("model") for record in self._replay.records.values()}
            model = models.pop() if len(models) == 1 else None
        self._meter = Meter(budget or Budget(), prices)
        limits, form = (concurrency, max_retries, timeout, max_wait), (temperature, max_tokens, dict(options or {}))
        self._sender = Sender(url, model, secret, self._meter, *limits, *form, sleep)
        self._rng, self._failures = rng, dict[str, dict[str, str]]()
        if url and urlsplit(url).scheme not in ("http", "https"):
            raise ValueError(f"{self.url!r} is no chat endpoint: write it as http(s)://host:port/v1.")

    @property
    def url(self) -> str | None:
        """The endpoint, without a password that may stand in it."""
        return self._scrubbed(self._sender.url) if self._sender.url else None

    @property
    def model(self) -> str | None:
        return self._sender.model

    def __repr__(self) -> str:
        where = f"replay={str(self._replay.path)!r}" if self._replay else f"url={self.url!r}"
        return f"Chat({where}, model={self.model!r})"

    @property
    def settings(self) -> dict[str, Any]:
        """What an answer depends on besides its question: `model`, `temperature`, `options`."""
        return {name: getattr(self._sender, name) for name in ("model", "temperature", "options")}

    @property
    def available(self) -> bool:
        """Whether it has something to answer from: an endpoint or a recording."""
        return bool(self._replay or (self.url and self.model))

    @property
    def usage(self) -> pd.DataFrame:
        """One row: requests, retries, repairs, cache hits, answers replayed, failures, tokens, seconds, cost."""
        return self._meter.table(self.model)

    @property
    def failures(self) -> pd.DataFrame:
        """Questions without an answer so far: `id`, `kind`, `message`, `input` (its beginning)."""
        return pd.DataFrame(list(self._failures.values()), columns=["id", "kind", "message", "input"])

    def ask(self, prompt: str | Messages, output: type[BaseModel] | None = None, system: str | None = None) -> Any:
        """Ask one question.

        Parameters
        ----------
        prompt : str or list of messages
            Messages are ``{"role": …, "content": …}``; content may be parts, with images as data URLs.
        output : pydantic model, optional
        system : str, optional
            Put before the prompt.

        Returns
        -------
        str, or an instance of `output`

        Raises
        ------
        ChatError
            If there is no usable answer; `kind` says why.
        """
        answer = self.ask_many([prompt], output, system, progress=False)[0]
        if not answer.ok:
            raise ChatError(answer.kind, answer.message)
        return answer.value

    def ask_many(
        self,
        prompts: Iterable[str | Messages],
        output: type[BaseModel] | None = None,
        system: str | None = None,
        ids: Iterable[str] | None = None,
        progress: bool = True,
    ) -> list[Answer]:
        """Ask many questions, several at a time; equal ones are asked once.

        Parameters
        ----------
        prompts, output, system
            As in `ask`.
        ids : iterable of str, optional
            What to call each question in `failures`; by default the beginning of its key.
        progress : bool

        Returns
        -------
        list of Answer
            In the order of the prompts. A refused key, a used-up quota or a server that cannot be reached fails the
            questions that are left without asking them.

        Raises
        ------
        ChatError
            If something must be asked and no endpoint is set.
        """
        asked = [_messages(prompt, system) for prompt in prompts]
        return self._answers(asked, output, None if ids is None else [str(name) for name in ids], progress)

    def ask_with_tools(
        self,
        prompt: str | Messages,
        tools: Sequence[Tool],
        output: type[BaseModel] | None = None,
        system: str | None = None,
        max_rounds: int = 8,
        context: int | None = None,
        observe: Callable[[Called], Any] | None = None,
    ) -> Any:
        """Ask one question whose answer may take calls of functions.

        Parameters
        ----------
        prompt, output, system
            As in `ask`.
        tools : sequence of Tool
            Each call is validated, carried out here, one after the other, and answered to the model.
        max_rounds : int, at least 1
            Answers that may call tools. After the last one the model is told that no call is left.
        context : int, optional
            Tokens, by the estimate of `Budget`, that the conversation may grow to. A result that does not fit is left
            out, and the model is told so.
        observe : function of a Called, optional
            Told of each call once it is answered, so that what was done is known even if the question fails.

        Returns
        -------
        str, or an instance of `output`

        Raises
        ------
        ChatError
            As `ask`; also "rounds" where a model goes on calling, and "context" where the question alone is too long.
        """
        if max_rounds < 1 or len({tool.name for tool in tools}) < len(tools):
            raise ValueError(f"{max_rounds=}, tools {[tool.name for tool in tools]}: at least 1 round, each name once.")
        asked = " ".join(part for part in (system, output and schema_request(output)) if part)
        messages = _messages(prompt, asked or None)
        for number in range(1, max_rounds + 2):
            if context is not None and tokens_of(size_of(messages, tools)) > context:
                raise ChatError("context", f"the question takes more than {context:,} tokens. Send less.")
            answer = self._answers([messages], output, None, False, tools)[0]
            if not answer.ok:
                raise ChatError(answer.kind, answer.message)
            if not answer.calls:
                return answer.value
            if number > max_rounds:
                break
            calls = [call.message for call in answer.calls]
            messages = [*messages, {"role": "assistant", "content": answer.text, "tool_calls": calls}]
            for call in answer.calls:
                called = answer_call(call, tools, number)
                messages.append({"role": "tool", "tool_call_id": call.id, "content": called.result})
                if context is not None and tokens_of(size_of(messages, tools)) > 0.9 * context:
                    messages[-1]["content"] = cut = _CUT.format(context)
                    called = replace(called, result=cut, fault="context")
                if observe:
                    observe(called)
            if number == max_rounds:
                messages.append({"role": "user", "content": _LAST})
        raise ChatError("rounds", f"still calling tools after {max_rounds} rounds.")

    def _answers(
        self,
        asked: list[Messages],
        output: type[BaseModel] | None,
        ids: list[str] | None,
        progress: bool,
        tools: Sequence[Tool] = (),
    ) -> list[Answer]:
        schema = output.model_json_schema() if output else None
        offered = {"tools": [tool_schema(tool) for tool in tools]} if tools else {}
        keys = [request_key(messages=messages, schema=schema, **offered, **self.settings) for messages in asked]
        names = ids or [key[:12] for key in keys]
        found = self._sender.run(self._all(dict(zip(keys, asked, strict=True)), output, progress, tools))
        answers = [replace(found[key], id=name) for key, name in zip(keys, names, strict=True)]
        for answer, messages in zip(answers, asked, strict=True):
            self._failures.pop(answer.id, None)
            if not answer.ok:
                row = {"id": answer.id, "kind": answer.kind, "message": answer.message}
                self._failures[answer.id] = {**row, "input": _beginning(messages)}
                self._meter.counts["failures"] += 1
        unset = next((answer for answer in answers if answer.kind == "unset"), None)
        if unset:
            raise ChatError("unset", unset.message)
        return answers

    async def _all(self, asked: dict[str, Messages], output, progress: bool, tools) -> dict[str, Answer]:
        run: dict[str, ChatError] = {}  # what ended this run, if anything did
        with tqdm(total=len(asked), desc="ask", unit="question", delay=2, leave=False, disable=not progress) as bar:

            async def one(key: str, messages: Messages) -> Answer:
                answer = self._held(key, output) or await self._fresh(key, messages, output, run, tools)
                bar.update()
                return answer

            tasks = [asyncio.ensure_future(one(key, messages)) for key, messages in asked.items()]
            try:
                return dict(zip(asked, await asyncio.gather(*tasks), strict=True))
            finally:
                for task in tasks:
                    task.cancel()

    def _held(self, key: str, output) -> Answer | None:
        """The stored answer; in a replay, failing that, a failure."""
        store = self._replay or self._folder
        record, fault = store.get(key) if store else None, "is not in it"
        if record:
            try:
                calls = tuple(ToolCall(**call) for call in record.get("calls") or ())
                value = None if calls else parse(record["answer"], output) if output else record["answer"]
                self._meter.counts["replayed" if self._replay else "cache_hits"] += 1
                if self._record:
                    kept = ("model", "input", "answer", *(["calls"] if calls else []))
                    self._record.put(key, {name: record.get(name) for name in kept})
                return Answer(key, value, record["answer"], origin="replay" if self._replay else "cache", calls=calls)
            except (ValueError, TypeError) as error:
                wrong = what_is_wrong(error) if isinstance(error, ValueError) else "its calls cannot be read"
                fault = f"does not fit {output.__name__ if output else 'an answer'}: {wrong}"
        if self._replay:
            message = f"{self._replay.path}: the answer with the key {key} (model {self.model!r}) {fault}."
            return Answer(key, kind="replay", message=message, origin="replay")
        return None

    async def _fresh(self, key: str, messages: Messages, output, run: dict[str, ChatError], tools) -> Answer:
        async with self._sender.slots:
            try:
                if "ended" in run:
                    raise run["ended"]
                jitter = random.Random(f"{self._rng} {key}")
                reply, value = await self._sender.converse(messages, output, jitter, tools)
            except ChatError as error:
                if error.kind in _ENDS_A_RUN:
                    run["ended"] = error
                return Answer(key, kind=error.kind, message=self._scrubbed(error.message))
        record: dict[str, Any] = {"model": self.model, "input": _beginning(messages), "answer": reply.text}
        if reply.calls:
            record["calls"] = [vars(call) for call in reply.calls]
        for store in (self._folder, self._record):
            if store:
                store.put(key, record)
        return Answer(key, value, reply.text, calls=reply.calls)

    def _scrubbed(self, text: str) -> str:
        """Text without the key and without a user or password in the URL."""
        parts, secret = urlsplit(self._sender.url or ""), self._sender.key.get_secret_value()
        text = text.replace(parts.netloc, parts.netloc.rpartition("@")[2]) if "@" in parts.netloc else text
        return text.replace(secret, "***") if len(secret) > 3 else text


def _messages(prompt: str | Messages, system: str | None = None) -> Messages:
    asked = [{"role": "user", "content": prompt}] if isinstance(prompt, str) else list(prompt)
    return ([{"role": "system", "content": system}] if system else []) + asked


def _beginning(messages: Messages) -> str:
    """The first words of the last message, to recognise it by."""
    return " ".join(" ".join(texts_of(messages[-1:])).split())[:120]
