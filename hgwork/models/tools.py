"""Functions that a chat model may call: what they are called, what they accept, and how a call of them is answered.

A call is data from outside: its name is looked up, its arguments are validated by a pydantic model, and whatever is
wrong with it goes back to the model as an answer that says so. Nothing but the given functions can be called.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel

from .structured import what_is_wrong

__all__ = ["Called", "Tool", "ToolCall", "answer_call", "tool_schema"]


@dataclass(frozen=True)
class Tool:
    """One function a model may call.

    Attributes
    ----------
    name, description : str
        What the model sees.
    arguments : pydantic model
        Its fields, their types and limits are what a call is checked against. Unknown fields are refused where the
        model forbids them (``ConfigDict(extra="forbid")``).
    run : function of an instance of `arguments`
        Returns text, or a value that JSON can hold. A ValueError or LookupError is told to the model.
    """

    name: str
    description: str
    arguments: type[BaseModel]
    run: Callable[[Any], Any]


@dataclass(frozen=True)
class ToolCall:
    """A call as the model made it; `arguments` is the text it sent, which need not be JSON."""

    id: str
    name: str
    arguments: str

    @property
    def message(self) -> dict[str, Any]:
        """As it stands in the message of an assistant."""
        return {"id": self.id, "type": "function", "function": {"name": self.name, "arguments": self.arguments}}


@dataclass(frozen=True)
class Called:
    """One call and what came of it.

    Attributes
    ----------
    round : int
        Which answer of the model made it, from 1.
    name : str
    arguments : dict, or str where they were no JSON object
    result : str
        What the model was told.
    fault : str or None
        What was wrong with the call.
    """

    round: int
    name: str
    arguments: Any
    result: str
    fault: str | None = None


def tool_schema(tool: Tool) -> dict[str, Any]:
    """The entry of a tool in the `tools` of a request.

    Examples
    --------
    >>> class Place(BaseModel):
    ...     town: str
    >>> entry = tool_schema(Tool("weather", "Tell the weather.", Place, lambda place: "rain"))
    >>> entry["function"]["parameters"]["required"]
    ['town']
    """
    function = {"name": tool.name, "description": tool.description, "parameters": tool.arguments.model_json_schema()}
    return {"type": "function", "function": function}


def answer_call(call: ToolCall, tools: Sequence[Tool], number: int = 1) -> Called:
    """Check a call and carry it out; a bad one is answered with what is wrong.

    Parameters
    ----------
    call : ToolCall
    tools : sequence of Tool
    number : int
        The round it belongs to.

    Returns
    -------
    Called

    Examples
    --------
    >>> class Place(BaseModel):
    ...     town: str
    >>> tools = [Tool("weather", "Tell the weather.", Place, lambda place: f"rain in {place.town}")]
    >>> answer_call(ToolCall("1", "weather", '{"town": "Oom"}'), tools).result
    'rain in Oom'
    >>> answer_call(ToolCall("1", "wether", "{}"), tools).fault
    "no tool is named 'wether'. Tools: weather."
    """
    known = {tool.name: tool for tool in tools}
    given: Any = call.arguments
    try:
        if call.name not in known:
            raise ValueError(f"no tool is named {call.name!r}. Tools: {', '.join(known)}.")
        given = _arguments(call.arguments)
        tool = known[call.name]
        result = tool.run(tool.arguments.model_validate(given))
    except (ValueError, LookupError) as error:
        fault = what_is_wrong(error) if isinstance(error, ValueError) else " ".join(map(str, error.args))
        return Called(number, call.name, given, f"error: {fault}", fault)
    text = result if isinstance(result, str) else json.dumps(result, ensure_ascii=False, default=str)
    return Called(number, call.name, given, text)


def _arguments(text: str) -> Mapping[str, Any]:
    try:
        value = json.loads(text or "{}")
    except (ValueError, RecursionError):
        raise ValueError("the arguments are not JSON. Send one JSON object.") from None
    if not isinstance(value, dict):
        raise ValueError(f"the arguments are a JSON {type(value).__name__}. Send one JSON object.")
    return value
