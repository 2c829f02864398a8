"""hgwork: a Jupyter workbench for knowledge hypergraphs.

Rooms load when they are first named, so that ``import hgwork`` stays quick.
"""

from importlib import import_module as _import_module

from .hypergraph import Hypergraph
from .schema import Chunk, Document, Event

__version__ = "0.1.0"

_ROOMS = [
    "io",
    "models",
    "lookup",
    "corpus",
    "datasets",
    "topology",
    "paths",
    "order",
    "store",
    "retrieval",
    "answer",
    "evaluation",
    "plot",
    "explore",
    "notebook",
    "trace",
]
_FUNCTIONS = {"read": "io", "write": "io"}

__all__ = ["Chunk", "Document", "Event", "Hypergraph", "read", "write"]


def __getattr__(name):
    if name in _FUNCTIONS:
        return getattr(_import_module(f"{__name__}.{_FUNCTIONS[name]}"), name)
    if name in _ROOMS:
        try:
            return _import_module(f"{__name__}.{name}")
        except ModuleNotFoundError as error:
            if error.name != f"{__name__}.{name}":
                raise
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__():
    return sorted({*globals(), *_ROOMS, *_FUNCTIONS})
