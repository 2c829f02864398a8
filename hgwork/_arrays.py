"""From columns of names to integer codes: the checks that every constructor of a hypergraph shares."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pandas as pd

__all__ = [
    "MEMBER",
    "ROLES",
    "DuplicateIncidenceWarning",
    "as_text",
    "encode",
    "first_of_each",
    "known",
    "named_table",
    "place_of",
    "refuse_nul",
    "role_codes",
    "same_table",
    "weight_column",
]

ROLES = ("source", "target", "member")
MEMBER = 2


class DuplicateIncidenceWarning(UserWarning):
    """The same node stood more than once, in the same role, in one hyperedge; the first record was kept."""


def as_text(names, what: str) -> pd.Index:
    """Unique names as text; refuse missing names and two names that read the same."""
    index = pd.Index(names, tupleize_cols=False)
    if isinstance(index.dtype, np.dtype) and index.dtype == object:
        kind = pd.api.types.infer_dtype(index, skipna=False)
    else:
        kind = "other"
    if kind in ("string", "empty"):
        return index
    missing = np.flatnonzero(pd.isna(index))
    if len(missing):
        raise ValueError(f"{what} {missing[0] + 1} has no name (None or NaN). Name it or leave it out.")
    text = pd.Index([str(name) for name in index], dtype=object)
    if not text.is_unique:
        twin = text[text.duplicated()][0]
        raise ValueError(f"two different {what}s read {twin!r} as text (a number and a string?). Rename one of them.")
    return text


def encode(column, what: str, known: pd.Index | None = None) -> tuple[np.ndarray, pd.Index]:
    """Integer codes of a column of names, and the names in order of `known`, then of first appearance."""
    refuse_nul(column, what)
    codes, uniques = pd.factorize(column, sort=False)
    if (codes < 0).any():
        row = int(np.flatnonzero(codes < 0)[0])
        raise ValueError(
            f"incidence record {row + 1}: the {what} is missing (None or NaN). Give every record a {what}."
        )
    names = as_text(uniques, what)
    if known is None:
        return codes.astype(np.int32), names
    place = known.get_indexer(names)
    fresh = place < 0
    place[fresh] = len(known) + np.arange(fresh.sum())
    return place[codes].astype(np.int32), known.append(names[fresh])


def refuse_nul(names, what: str) -> None:
    """The hash table of pandas ends a text at NUL: "a" and "a\\0b" would silently become one name."""
    names = names.cat.categories if isinstance(names, pd.Series) and names.dtype == "category" else names
    try:
        clean = "\0" not in "".join(names)
    except TypeError:  # not all are text
        clean = False
    bad = None if clean else next((name for name in names if isinstance(name, str) and "\0" in name), None)
    if bad is not None:
        raise ValueError(f"the {what} name {bad!r} holds a NUL character, which no name may. Remove it.")


def named_table(table, what: str) -> pd.DataFrame:
    """An attribute table whose index is unique text."""
    if table is None:
        return pd.DataFrame(index=pd.Index([], dtype=object, name=what))
    if not isinstance(table, pd.DataFrame):
        rows = dict(table)  # DataFrame.from_dict would drop the names of which nothing is known
        table = pd.DataFrame(list(rows.values()), index=pd.Index(list(rows), dtype=object))
    if what in table.columns and isinstance(table.index, pd.RangeIndex):
        table = table.set_index(what)
    if not table.index.is_unique:
        twin = table.index[table.index.duplicated()][0]
        raise ValueError(f"the table of {what}s has {twin!r} twice. Give each {what} one row.")
    refuse_nul(table.index, what)
    return table.set_axis(as_text(table.index, what).rename(what), axis=0)


def first_of_each(edge_codes, node_codes, roles, n_nodes: int, warn: bool = True) -> np.ndarray | None:
    """Row numbers that keep the first of every (hyperedge, node, role); None when all differ."""
    if not len(edge_codes):
        return None
    key = (edge_codes.astype(np.int64) * n_nodes + node_codes) * len(ROLES)
    key += 2 if roles is None else roles
    if (np.diff(key) > 0).all():
        return None
    ordered = np.sort(key)
    if (np.diff(ordered) > 0).all():
        return None
    _, rows = np.unique(key, return_index=True)
    if warn:
        warnings.warn(
            f"{len(key) - len(rows)} incidence records repeat an earlier one (same hyperedge, node and role); "
            "the first of each was kept.",
            DuplicateIncidenceWarning,
            stacklevel=4,
        )
    return np.sort(rows)


def role_codes(roles: pd.Series) -> np.ndarray | None:
    """Roles as places in `ROLES`, missing ones "member"; None when all are."""
    filled = roles.astype(object).where(roles.notna(), "member")
    codes = pd.Categorical(filled, categories=list(ROLES)).codes
    if (codes < 0).any():
        row = int(np.flatnonzero(codes < 0)[0])
        raise ValueError(
            f"incidence record {row + 1}: role {filled.iloc[row]!r} is unknown. Use one of {', '.join(ROLES)}."
        )
    return None if (codes == MEMBER).all() else codes.astype(np.int8)


def weight_column(weights: pd.Series) -> np.ndarray | None:
    """Weights as floats, missing ones 1; None when all are 1."""
    numbers = pd.to_numeric(weights, errors="coerce")
    wrong = numbers.isna() & weights.notna()
    if wrong.any():
        row = int(np.flatnonzero(wrong)[0])
        raise ValueError(f"incidence record {row + 1}: weight {weights.iloc[row]!r} is not a number.")
    filled = numbers.fillna(1.0).to_numpy(float)
    return None if (filled == 1).all() else filled.copy()


def known(table: pd.DataFrame):
    """(name, its attributes that are not missing), row by row."""
    rows = table.to_dict("records") if len(table.columns) else [{}] * len(table)
    for name, row in zip(table.index, rows, strict=True):
        yield name, {k: v for k, v in row.items() if not pd.api.types.is_scalar(v) or pd.notna(v)}


def same_table(one: pd.DataFrame, two: pd.DataFrame) -> bool:
    """Equal values, columns in any order, columns without a value aside."""
    one, two = (table.dropna(axis=1, how="all") for table in (one, two))
    if set(one.columns) != set(two.columns):
        return False
    return all(_same_column(one[name], two[name]) for name in one.columns)


def _same_column(one: pd.Series, two: pd.Series) -> bool:
    def plain(value):
        if isinstance(value, np.ndarray):
            return value.tolist()
        return None if pd.api.types.is_scalar(value) and pd.isna(value) else value

    return [plain(v) for v in one.tolist()] == [plain(v) for v in two.tolist()]


def place_of(index: pd.Index, name: str, what: str) -> int:
    """Row of a name; an unknown one is refused with the nearest."""
    try:
        return index.get_loc(name)
    except (KeyError, TypeError, pd.errors.InvalidIndexError):  # unknown, or no name at all
        raise KeyError(f"no {what} is named {name!r}; names are exact text. {_nearest(index, name)}") from None


def _nearest(index: pd.Index, name: Any) -> str:
    from difflib import get_close_matches

    if not isinstance(name, str):
        return f"{name!r} is not text."
    near = get_close_matches(name, index[:20_000].tolist(), n=3)
    return f"Close: {', '.join(map(repr, near))}." if near else "See `.nodes` and `.edges`."
