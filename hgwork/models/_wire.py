"""One request to an OpenAI-compatible endpoint, and a name for whatever can go wrong with it."""

from __future__ import annotations

import asyncio
import json
import math
import re
import time
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import Any

from .tools import ToolCall

__all__ = ["ChatError", "Reply", "open_client", "retry_after", "send"]


_OVERFLOW = re.compile(r"(context|prompt|input)\W.{0,80}(length|size|window|limit|too long|too large|exceed)", re.I)


class ChatError(RuntimeError):
    """A question that got no usable answer.

    Attributes
    ----------
    kind : str
        "unset", "auth", "quota", "rejected", "rate limit", "server", "connection", "timeout", "broken", "empty",
        "length", "refusal", "invalid", "context", "rounds", "budget" or "replay".
    passing : bool
        Whether asking again may help.
    wait : float, optional
        Seconds the server asked for.
    """

    def __init__(self, kind: str, message: str, passing: bool = False, wait: float | None = None):
        super().__init__(f"{kind}: {message}")
        self.kind, self.message, self.passing, self.wait = kind, message, passing, wait


@dataclass(frozen=True)
class Reply:
    """What a server said: its text, why it stopped, (prompt, completion) tokens where told, the tools it calls."""

    text: str
    finish: str | None
    refusal: str | None
    usage: tuple[int, int] | None
    calls: tuple[ToolCall, ...] = ()


def open_client(url: str, key: str | None) -> Any:
    """An asynchronous openai client that retries nothing by itself and takes no setting from OPENAI_* variables."""
    try:
        from openai import AsyncOpenAI
    except ImportError:
        raise ChatError("unset", "the chat client needs the openai package: pip install 'hgwork[llm]'.") from None
    client = AsyncOpenAI(base_url=url, api_key=key or "none", max_retries=0)
    client.organization = client.project = None
    return client


async def send(client: Any, request: dict[str, Any], timeout: float) -> Reply:
    """Send one request; the time limit is for the whole of it, not for each byte.

    Raises
    ------
    ChatError
    """
    import openai

    try:
        async with asyncio.timeout(timeout):
            answer = await client.chat.completions.create(**request, timeout=timeout)
        choice = answer.choices[0] if answer.choices else None
        told = answer.usage
        usage = (int(told.prompt_tokens or 0), int(told.completion_tokens or 0)) if told else None
        if choice is None or choice.message is None:
            return Reply("", None, None, usage)
        said, calls = choice.message, _calls(choice.message)
        return Reply(said.content or "", choice.finish_reason, said.refusal, usage, calls)
    except (TimeoutError, openai.APITimeoutError):
        raise ChatError("timeout", f"no answer within {timeout:g} s.", passing=True) from None
    except openai.APIStatusError as error:
        raise _refused(error) from None
    except openai.APIConnectionError as error:
        cause = type(error.__cause__ or error).__name__
        if cause == "ConnectError":
            raise ChatError("connection", "the server cannot be reached.", passing=True) from None
        raise ChatError("broken", f"the answer broke off ({cause}).", passing=True) from None
    except (ValueError, TypeError, AttributeError, IndexError, openai.APIError) as error:
        raise ChatError("broken", f"the body is no chat completion ({type(error).__name__}).", passing=True) from None


def _calls(message: Any) -> tuple[ToolCall, ...]:
    """The calls of a message, numbered anew: some servers give all of them the same id, or none.

    Nine letters and digits are what every kind of server accepts as an id.
    """
    functions = [call.function for call in message.tool_calls or [] if getattr(call, "function", None)]
    sent = [(f.name or "", f.arguments if isinstance(f.arguments, str) else json.dumps(f.arguments)) for f in functions]
    return tuple(ToolCall(f"call{i:05}", name, arguments) for i, (name, arguments) in enumerate(sent, 1))


def _refused(error: Any) -> ChatError:
    status, code = error.status_code, getattr(error, "code", None)
    message = f"HTTP {status}: {' '.join(str(error.message).split())[:300]}"
    if status in (401, 403):
        return ChatError("auth", f"{message} Check HGWORK_CHAT_KEY and that it may use the model.")
    if code == "insufficient_quota":
        return ChatError("quota", message)
    if status == 429 or status in (408, 409, 425) or status >= 500:
        wait = retry_after(error.response.headers.get("retry-after"))
        return ChatError("rate limit" if status == 429 else "server", message, passing=True, wait=wait)
    if code == "context_length_exceeded" or _OVERFLOW.search(message):
        return ChatError("context", message)
    return ChatError("rejected", message)


def retry_after(value: str | None) -> float | None:
    """Seconds from a Retry-After header, which holds seconds or an HTTP date; None where it holds neither.

    Examples
    --------
    >>> retry_after("1.5"), retry_after("Thu, 01 Jan 1970 00:00:00 GMT"), retry_after("soon")
    (1.5, 0.0, None)
    """
    if value is None:
        return None
    try:
        seconds = float(value)
    except ValueError:
        try:
            seconds = parsedate_to_datetime(value).timestamp() - time.time()
        except (ValueError, TypeError, OverflowError):
            return None
    return max(0.0, seconds) if not math.isnan(seconds) else None
