"""Typed answers: the schema a server is asked to keep to, and the reading of answers from servers that do not.

A strict JSON schema is sent with each question. Small and old servers ignore it and wrap their JSON in prose, fences
or a train of thought; the first JSON value of the text that fits the model is then taken.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

__all__ = ["parse", "response_format", "what_is_wrong"]

Output = TypeVar("Output", bound=BaseModel)

_FENCE = re.compile(r"```[\w-]*\s*\n(.*?)```", re.DOTALL)
_THOUGHT = re.compile(r"<think>.*?(</think>|\Z)", re.DOTALL)


def parse(text: str, output: type[Output]) -> Output:
    """The first JSON value in a text that fits a model.

    Raises
    ------
    ValueError
        If none fits: what was wrong with the first one (pydantic's `ValidationError`), or that there is none.

    Examples
    --------
    >>> class Bell(BaseModel):
    ...     name: str
    >>> parse('Here it is: {"name": "Great Oom"}. Anything else?', Bell)
    Bell(name='Great Oom')
    """
    first: ValidationError | None = None
    for value in _values(_THOUGHT.sub("", text)):
        try:
            return output.model_validate(value)
        except ValidationError as error:
            first = first or error
    raise first or ValueError("the answer holds no complete JSON value")


def _values(text: str) -> Iterator[Any]:
    for part in [text, *_FENCE.findall(text)]:
        try:
            yield json.loads(part)
        except (ValueError, RecursionError):
            continue
    decoder, place = json.JSONDecoder(), 0
    while opening := re.compile(r"[{\[]").search(text, place):
        try:
            value, place = decoder.raw_decode(text, opening.start())
            yield value
        except ValueError:
            place = opening.end()
        except RecursionError:
            return


def response_format(output: type[BaseModel]) -> dict[str, Any]:
    """The `response_format` of a chat request that holds a server to a model (needs openai)."""
    from openai import pydantic_function_tool

    schema = pydantic_function_tool(output)["function"]["parameters"]
    return {"type": "json_schema", "json_schema": {"name": output.__name__, "strict": True, "schema": schema}}


def what_is_wrong(error: ValueError) -> str:
    """One line on why an answer does not fit, without the answer itself."""
    if not isinstance(error, ValidationError):
        return str(error)
    faults = [f"{'.'.join(map(str, e['loc'])) or 'answer'}: {e['msg']}" for e in error.errors(include_url=False)]
    return "; ".join(faults[:5]) + (f"; and {len(faults) - 5} more" if len(faults) > 5 else "")
