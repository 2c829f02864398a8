"""Read a foreign pickle without running anything that it names.

A pickle is a program: loading one blindly hands the machine to whoever wrote it. Here every name that a pickle may use
stands in `ALLOWED`, as a pair (module, name), and even these lead to inert stand-ins of ours: neither pandas, NumPy
nor HyperNetX is called with what the pickle says. `value` then rebuilds arrays and frames from the stand-ins through
their public constructors, with checks (no structured types, sizes that fit).
"""

from __future__ import annotations

import io
import pickle
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from ._files import read_bytes

__all__ = ["ALLOWED", "RefusedPickle", "Shell", "load", "value"]


class RefusedPickle(pickle.UnpicklingError):
    """A pickle names something that is not on the allow-list, or does what no artifact of ours does."""


class _Sealed(type):
    def __setattr__(cls, name, value):
        raise RefusedPickle(f"a pickle may not change {cls.__name__}")


class Shell(metaclass=_Sealed):
    """Stands for an object of a pickle: keeps what the pickle gave it (`args`, `state`) and does nothing."""

    __slots__ = ("args", "state")
    args: tuple
    state: Any

    def __new__(cls, *args: Any) -> Shell:
        self = object.__new__(cls)
        self.args, self.state = args, None
        return self

    def __setstate__(self, state: Any) -> None:
        self.state = state


class _Call(metaclass=_Sealed):
    """Stands for a function of a pickle; calling it makes a plain value."""

    __slots__ = ("_make",)

    def __init__(self, make: Callable):
        self._make = make

    def __call__(self, *args: Any) -> Any:
        return self._make(*args)

    def __setstate__(self, state: Any) -> None:
        raise RefusedPickle("a pickle may not change a function")


def _shell(name: str) -> Any:
    return _Sealed(name, (Shell,), {"__slots__": ()})


_Array, _Dtype, _Frame, _Manager, _Block = map(_shell, ("Array", "Dtype", "Frame", "Manager", "Block"))
_NewIndex, _Index, _Range, _Multi = map(_shell, ("NewIndex", "Index", "RangeIndex", "MultiIndex"))
_NewCat, _Categorical, _CatDtype = map(_shell, ("NewCategorical", "Categorical", "CategoricalDtype"))

_DTYPE = re.compile(r"b1|[iu][1248]|f[248]|O8?|[SU]\d{1,6}")
_CODECS = ("latin1", "latin-1")


def _dtype(shell: Any) -> np.dtype:
    text = shell.args[0] if isinstance(shell, _Dtype) and shell.args else None
    state = getattr(shell, "state", None) or (3, "|", None, None, None)
    if not isinstance(text, str) or not _DTYPE.fullmatch(text) or state[1] not in "<>|=" or any(state[2:5]):
        raise RefusedPickle(f"NumPy type {text!r} with {state!r:.80} is not allowed; only plain numbers and text are")
    return np.dtype(text if text.startswith("O") else state[1] + text)


def _from_bytes(data: Any, dtype: np.dtype, shape: Any, order: str) -> np.ndarray:
    return np.frombuffer(bytes(data), dtype).reshape(shape, order="F" if order == "F" else "C")


def _encoded(text: str, codec: str = "latin1") -> bytes:
    if codec not in _CODECS:
        raise RefusedPickle(f"codec {codec!r} is not allowed")
    return text.encode("latin1")


_from_buffer = _Call(lambda data, dtype, shape, order: _from_bytes(data, _dtype(dtype), shape, order))
_scalar = _Call(lambda dtype, data: _from_bytes(data, _dtype(dtype), (), "C")[()])
_HNX, _FACTORY = "hypernetx.classes", "hypernetx.classes.factory"

#: Every name that a pickle may use, and what stands for it.
ALLOWED: dict[tuple[str, str], Any] = {
    ("numpy", "ndarray"): _shell("ndarray"),
    ("numpy", "dtype"): _Dtype,
    ("numpy._core.multiarray", "_reconstruct"): _Array,
    ("numpy.core.multiarray", "_reconstruct"): _Array,
    ("numpy._core.numeric", "_frombuffer"): _from_buffer,
    ("numpy.core.numeric", "_frombuffer"): _from_buffer,
    ("numpy._core.multiarray", "scalar"): _scalar,
    ("numpy.core.multiarray", "scalar"): _scalar,
    ("pandas.core.frame", "DataFrame"): _Frame,
    ("pandas.core.internals.managers", "BlockManager"): _Manager,
    ("pandas._libs.internals", "_unpickle_block"): _Block,
    ("pandas.core.indexes.base", "_new_Index"): _NewIndex,
    ("pandas.core.indexes.base", "Index"): _Index,
    ("pandas.core.indexes.range", "RangeIndex"): _Range,
    ("pandas.core.indexes.multi", "MultiIndex"): _Multi,
    ("pandas._libs.arrays", "__pyx_unpickle_NDArrayBacked"): _NewCat,
    ("pandas.core.arrays.categorical", "Categorical"): _Categorical,
    ("pandas.core.dtypes.dtypes", "CategoricalDtype"): _CatDtype,
    (f"{_HNX}.hypergraph", "Hypergraph"): _shell("Hypergraph"),
    (f"{_HNX}.hyp_view", "HypergraphView"): _shell("HypergraphView"),
    (f"{_HNX}.incidence_store", "IncidenceStore"): _shell("IncidenceStore"),
    (f"{_HNX}.property_store", "PropertyStore"): _shell("PropertyStore"),
    (_FACTORY, "dataframe_factory_method"): _shell("factory"),
    (_FACTORY, "dict_factory_method"): _shell("factory"),
    (_FACTORY, "list_factory_method"): _shell("factory"),
    (_FACTORY, "ndarray_factory_method"): _shell("factory"),
    ("builtins", "slice"): _Call(slice),
    ("builtins", "set"): _Call(set),
    ("builtins", "frozenset"): _Call(frozenset),
    ("builtins", "bytes"): _Call(lambda: b""),
    ("builtins", "dict"): _Call(dict),
    ("builtins", "list"): _Call(list),
    ("collections", "defaultdict"): _Call(lambda *_: {}),
    ("_codecs", "encode"): _Call(_encoded),
}


class _Unpickler(pickle.Unpickler):
    def find_class(self, module: str, name: str) -> Any:
        found = ALLOWED.get((module.replace("__builtin__", "builtins"), name))
        if found is None:
            raise RefusedPickle(f"it names {module}.{name}, which is not on the allow-list of published artifacts")
        return found


def load(path: str | Path) -> Any:
    """Load a pickle as plain Python values and stand-ins (`Shell`).

    Raises
    ------
    RefusedPickle
        If it names anything outside `ALLOWED` (the message says what), or is damaged.
    """
    data = read_bytes(path)
    try:
        return _Unpickler(io.BytesIO(data)).load()
    except RefusedPickle as error:
        advice = "Do not open it with pickle unless you trust its source."
        raise RefusedPickle(f"{path} was not loaded: {error}. {advice}") from error
    except Exception as error:  # a damaged pickle fails in any way
        raise RefusedPickle(f"{path} is not a pickle that can be read: {type(error).__name__}, {error}.") from error


def value(thing: Any) -> Any:
    """The array, frame or index that a stand-in stands for; anything else as it is."""
    rebuild = {_Array: _array, _Frame: _frame, _NewIndex: _index, _NewCat: _categorical}.get(type(thing))
    if rebuild is None:
        return thing
    try:
        return rebuild(thing)
    except RefusedPickle:
        raise
    except Exception as error:
        raise RefusedPickle(f"a {type(thing).__name__} of the pickle does not fit together: {error}") from error


def _array(shell: Shell) -> np.ndarray:
    _, shape, dtype, fortran, data = shell.state
    kind = _dtype(dtype)
    if kind.kind != "O":
        return _from_bytes(_encoded(data) if isinstance(data, str) else data, kind, shape, "F" if fortran else "C")
    # NumPy lists objects in C order, whatever the layout
    return np.fromiter((value(item) for item in data), dtype=object, count=len(data)).reshape(shape)


def _index(shell: Shell) -> pd.Index:
    kind, parts = shell.args
    if kind is _Range:
        return pd.RangeIndex(parts["start"], parts["stop"], parts["step"], name=parts["name"])
    if kind is _Multi:
        levels, codes = ([value(x) for x in parts[name]] for name in ("levels", "codes"))
        return pd.MultiIndex(levels, codes, names=parts["names"])
    if kind is not _Index:
        raise RefusedPickle(f"an index of kind {kind!r} is not allowed")
    data = value(parts["data"])
    return pd.Index(data, dtype=data.dtype, name=parts["name"], tupleize_cols=False)


def _categorical(shell: Shell) -> pd.Categorical:
    dtype, codes = shell.state[:2]
    return pd.Categorical.from_codes(value(codes), value(dtype.state["categories"]), dtype.state["ordered"])


def _frame(shell: Shell) -> pd.DataFrame:
    blocks, axes = shell.state["_mgr"].args
    columns, rows = map(value, axes)
    data: dict[int, Any] = {}
    for block in blocks:
        values, where, _ = block.args
        values = value(values)
        places = range(*where.indices(len(columns))) if isinstance(where, slice) else value(where).tolist()
        for row, place in enumerate(places):
            data[place] = values[row] if isinstance(values, np.ndarray) and values.ndim == 2 else values
    frame = pd.DataFrame({place: data[place] for place in range(len(columns))}, index=rows)
    return frame.set_axis(columns, axis=1)
