"""Pickles that were made to do harm do none; those of the published artifacts read."""

import builtins
import functools
import importlib
import operator
import os
import pickle
import struct

import hypernetx
import numpy as np
import pandas as pd
import pytest

from hgwork.io.restricted_pickle import ALLOWED, RefusedPickle, Shell, load, value


class Does:
    """Pickles as a call of `call` with `args`, and a state to set on the result."""

    def __init__(self, call, *args, state=None):
        self.parts = (call, args, state) if state is not None else (call, args)

    def __reduce__(self):
        return self.parts


def written(tmp_path, thing, protocol=4):
    file = tmp_path / "x.pkl"
    file.write_bytes(thing if isinstance(thing, bytes) else pickle.dumps(thing, protocol=protocol))
    return file


def short(text):
    return b"\x8c" + bytes([len(text)]) + text.encode()


def named(module, name):
    return short(module) + short(name) + b"\x93"  # STACK_GLOBAL


def program(*parts):
    return b"\x80\x04" + b"".join(parts) + b"."


def attacks(marker):
    touch, code = f"touch {marker}", f"open({str(marker)!r}, 'w').close()"
    return {
        "os.system": Does(os.system, touch),
        "eval": Does(eval, code),
        "exec": Does(exec, code),
        "open": Does(open, str(marker), "w"),
        "__import__": Does(builtins.__import__, "os"),
        "import_module": Does(importlib.import_module, "os"),
        "getattr": Does(getattr, os._wrap_close, "__init__"),
        "attrgetter": Does(operator.attrgetter, "__init__.__globals__"),
        "methodcaller": Does(operator.methodcaller, "system", touch),
        "partial": Does(functools.partial, os.system, touch),
        "map": Does(map, eval, [code]),
        "numpy.load": Does(np.load, str(marker), "r", True),
        "numpy memmap": Does(np.memmap, str(marker), "u1", "w+", 0, (1,)),
        "numpy runstring": program(named("numpy.testing._private.utils", "runstring"), short(code), b"}\x86R"),
        "pandas eval": Does(pd.eval, code),
        "pandas read_pickle": Does(pd.read_pickle, str(marker)),
        "nested in a frame": pd.DataFrame({"a": [Does(os.system, touch)]}),
        "nested in an array": np.array([Does(os.system, touch)], dtype=object),
        "in a dict": {"a": {"b": [Does(eval, code)]}},
        "in a state": Does(set, [1], state={"a": Does(eval, code)}),
        "dotted name": program(named("pandas.core.frame", "DataFrame.eval")),
        "a module of an allowed name": program(named("numpy.core.multiarray", "os.system")),
        "GLOBAL opcode": b"cposix\nsystem\n(S'" + touch.encode() + b"'\ntR.",
        "INST opcode": b"(S'" + touch.encode() + b"'\niposix\nsystem\n.",
        "copyreg": program(named("copyreg", "_reconstructor"), b"."),
        "hypernetx elsewhere": program(named("hypernetx.classes.factory", "pd")),
    }


@pytest.mark.parametrize("name", list(attacks("x")))
@pytest.mark.parametrize("protocol", [2, 4])
def test_a_malicious_pickle_is_refused_and_does_nothing(name, protocol, tmp_path):
    marker = tmp_path / "marker"
    attack = attacks(marker)[name]
    with pytest.raises(RefusedPickle, match="not on the allow-list"):
        load(written(tmp_path, attack, protocol))
    assert not marker.exists()


def test_the_attacks_would_work_on_a_plain_unpickler(tmp_path):
    marker = tmp_path / "marker"
    pickle.loads(pickle.dumps(attacks(marker)["os.system"]))
    assert marker.exists()


def test_the_message_names_file_and_global(tmp_path):
    with pytest.raises(RefusedPickle, match=r"x\.pkl was not loaded: it names (posix|nt)\.system"):
        load(written(tmp_path, Does(os.system, "true")))


def test_every_allowed_name_stands_for_something_of_ours():
    """No class or function of pandas, NumPy, HyperNetX or the standard library is handed to a pickle."""
    for name, thing in ALLOWED.items():
        kind = thing if isinstance(thing, type) else type(thing)
        assert kind.__module__ == "hgwork.io.restricted_pickle", name
    assert len(ALLOWED) < 40


@pytest.mark.parametrize(
    "target",
    [
        named("pandas.core.frame", "DataFrame"),
        named("hypernetx.classes.hypergraph", "Hypergraph"),
        named("builtins", "set"),
    ],
)
@pytest.mark.parametrize("state", [b"}" + short("x") + b"K\x01s", b"N}" + short("__setstate__") + b"K\x01s\x86"])
def test_a_pickle_cannot_change_what_a_name_stands_for(target, state, tmp_path):
    """BUILD with a dict, or with slots, on a class or function would patch it for everything that is loaded later."""
    with pytest.raises(RefusedPickle):
        load(written(tmp_path, program(target, state, b"b")))
    frame = load(written(tmp_path, pd.DataFrame({"a": [1]})))
    assert value(frame)["a"].tolist() == [1]


@pytest.mark.parametrize(
    ("text", "state"),
    [
        ("V8", (3, "|", None, ("a",), {"a": (np.dtype("O"), 4096)}, 8, 1, 27)),  # a field far outside the record
        ("V8", (3, "|", (np.dtype("O"), (9,)), None, None, 8, 1, 0)),
        ("f4", (3, "<", None, ("a",), {"a": (np.dtype("f4"), 0)}, 4, 4, 0)),
        ("M8", (3, "<", None, None, None, -1, -1, 0)),
    ],
)
def test_structured_types_are_refused(text, state, tmp_path):
    raw = pickle.dumps(np.zeros(2, np.float32), protocol=4)
    shells = load(written(tmp_path, raw))
    assert value(shells).tolist() == [0, 0]
    bad = load(written(tmp_path, Does(np.dtype, text, False, True)))
    shells.state = (1, (2,), bad, False, b"\0" * 16)
    bad.state = state
    with pytest.raises(RefusedPickle, match="is not allowed"):
        value(shells)


@pytest.mark.parametrize("shape", [(3,), (-1, 2), (2**62,), ("a",), (2, 2)])
def test_arrays_whose_parts_do_not_fit_are_refused(shape, tmp_path):
    shell = load(written(tmp_path, np.zeros(2, np.float32)))
    shell.state = (1, shape, shell.state[2], False, b"\0" * 8)
    if shape == (-1, 2):
        assert value(shell).shape == (1, 2)  # NumPy's own inference: harmless
    else:
        with pytest.raises(RefusedPickle, match="does not fit"):
            value(shell)


def test_objects_cannot_be_forged_from_bytes(tmp_path):
    """An array or scalar of dtype object made from raw bytes would be made of addresses."""
    shell = load(written(tmp_path, np.array(["x"], dtype=object)))
    scalar = program(
        named("numpy._core.multiarray", "scalar"), named("numpy", "dtype"), short("O8"), b"\x89\x88\x87R",
        b"C\x08" + struct.pack("<Q", 4096), b"\x86R",
    )  # fmt: skip
    with pytest.raises(RefusedPickle):
        load(written(tmp_path, scalar))
    shell.state = (1, (1,), shell.state[2], False, struct.pack("<Q", 4096))
    with pytest.raises(RefusedPickle):
        value(shell)


@pytest.mark.parametrize(
    "data", [b"", b"no pickle", b"\x80\x04", b"\x80\x04]", pickle.dumps([1, 2])[:-3], b"\x80\x05\x97."]
)
def test_damaged_files_are_refused_by_name(data, tmp_path):
    with pytest.raises(RefusedPickle, match=r"x\.pkl is not a pickle"):
        load(written(tmp_path, data))


PAIRS = pd.MultiIndex.from_tuples([("e", "x"), ("e", "y")], names=["edges", "nodes"])
FRAMES = {
    "named index": pd.DataFrame(
        {"n": [{"x"}, {"y", "z"}], "s": [["x"], []], "c": ["a", None]}, index=pd.Index(["e", "f"], name="edge")
    ),
    "numbers": pd.DataFrame({"i": [1, 2], "f": [0.5, np.nan], "b": [True, False], "o": ["x", {"k": [1]}], "j": [3, 4]}),
    "categorical": pd.DataFrame({"c": pd.Categorical(["b", None, "a"], categories=["b", "a"]), "i": [1, 2, 3]}),
    "multi": pd.DataFrame({"w": [1.0, 2.0]}, index=PAIRS),
    "empty": pd.DataFrame({"a": []}),
    "no columns": pd.DataFrame(index=["a", "b"]),
    "sliced": pd.DataFrame(np.arange(24).reshape(6, 4), columns=list("abcd")).iloc[::2, [0, 2, 3]],
    "one kind, Fortran": pd.DataFrame({"a": ["x", "y", "z"], "b": ["p", "q", "r"]}),
}  # fmt: skip


@pytest.mark.parametrize("protocol", [2, 3, 4, 5])
@pytest.mark.parametrize("name", FRAMES)
def test_frames_come_back_as_pandas_wrote_them(name, protocol, tmp_path):
    pd.testing.assert_frame_equal(value(load(written(tmp_path, FRAMES[name], protocol))), FRAMES[name])


ARRAYS = [
    np.arange(3, dtype=np.float32), np.arange(6).reshape(2, 3), np.asfortranarray(np.arange(6).reshape(2, 3)),
    np.array([[1, "a"], [None, (2,)]], dtype=object), np.array([["a", "b"], ["c", "d"]], dtype=object, order="F"),
    np.array(["é", "ab"]), np.array([True]), np.arange(3, dtype=">i4"), np.zeros((0, 3)), np.array(2.5),
    np.arange(6)[::2],
]  # fmt: skip


@pytest.mark.parametrize("protocol", [2, 4, 5])
@pytest.mark.parametrize("array", ARRAYS, ids=str)
def test_arrays_come_back_as_numpy_wrote_them(array, protocol, tmp_path):
    got = value(load(written(tmp_path, array, protocol)))
    assert got.dtype == array.dtype
    assert got.shape == array.shape
    assert got.tolist() == array.tolist()


@pytest.mark.parametrize("scalar", [np.float32(0.5), np.int64(3), np.str_("é"), np.bool_(True)])
def test_numpy_scalars_come_back(scalar, tmp_path):
    got = load(written(tmp_path, scalar))
    assert got == scalar
    assert got.dtype == scalar.dtype


def test_a_hypernetx_hypergraph_loads_as_stand_ins(tmp_path):
    shell = load(written(tmp_path, hypernetx.Hypergraph({"e": ["x", "y"]})))
    assert isinstance(shell, Shell)
    assert type(shell).__name__ == "Hypergraph"
    assert not isinstance(shell, hypernetx.Hypergraph)
