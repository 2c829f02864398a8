"""HIF, the Hypergraph Interchange Format: JSON lists of incidences, nodes and hyperedges [1]_.

Reading is lenient (only ``incidences`` is required; repeated records collapse), writing is complete (all three lists,
so that isolated nodes, empty hyperedges and the order survive). HIF knows "tail" (our source) and "head" (our target)
in directed networks; a hypergraph that mixes them with plain members is written as undirected, roles in ``attrs``.

References
----------
.. [1] https://github.com/pszufe/HIF-standard
"""

from __future__ import annotations

import json
import warnings
from functools import cache
from pathlib import Path
from typing import Any

from .._arrays import ROLES, known
from .._hypernetx import attribute_table
from ..hypergraph import Hypergraph
from ._files import RecordWarning, encoder, new_text, progress, read_text

__all__ = ["read_hif", "write_hif"]

_ROLE = {"tail": "source", "head": "target"}
_DIRECTION = {role: direction for direction, role in _ROLE.items()}


def read_hif(path: str | Path) -> Hypergraph:
    """Read a HIF file.

    Integer ids become text. ``weight`` of nodes and hyperedges becomes the column `weight`, ``attrs`` the other
    columns; an attribute named as one of our key columns stands under ``attrs.<name>``. Network type and metadata
    stay with the hypergraph in ``H.edges.attrs["hif"]``.

    Parameters
    ----------
    path : path
        ``.json`` or ``.hif.json``, also with ``.gz``.

    Raises
    ------
    ValueError
        If the file is not valid HIF (the message names the JSON path and the value), or if the ids 1 and "1" both
        stand in it.

    Warns
    -----
    RecordWarning
        If two records of one node, hyperedge or incidence disagree; the first value is kept.
    """
    data = _valid(_parsed(path), path)
    ids, clashes = _Ids(path), _Clashes(path)
    tables: dict[str, Any] = {}
    for what in ("edge", "node"):
        rows: dict[Any, dict] = {}
        for record in data.get(f"{what}s", []):
            clashes.add(rows, ids.text(what, record[what]), _attributes(record), what)
        names = list(rows)
        tables[f"{what}s"] = attribute_table(list(rows.values()), None, (), ("edge", "node")).set_axis(names, axis=0)
    cells: dict[Any, dict] = {}
    for record in progress(data["incidences"], len(data["incidences"]), "incidences"):
        attributes = _attributes(record)
        role = _ROLE.get(record.get("direction"), "member")
        if "direction" not in record and attributes.get("role") in ROLES:
            role = attributes.pop("role")
        key = (ids.text("edge", record["edge"]), ids.text("node", record["node"]), role)
        taken = {k for k in attributes if k in ("edge", "node", "role") or (k == "weight" and "weight" not in record)}
        clashes.add(cells, key, {f"attrs.{k}" if k in taken else k: v for k, v in attributes.items()}, "incidence")
    clashes.warn()
    rows_ = [{"edge": edge, "node": node, "role": role, **more} for (edge, node, role), more in cells.items()]
    H = Hypergraph.from_frame(attribute_table(rows_, columns=("edge", "node")), **tables)
    about = {key: data[key] for key in ("network-type", "metadata") if data.get(key)}
    if about:
        vars(H)["_edges"].attrs["hif"] = about
    return H


def _parsed(path: str | Path) -> Any:
    try:
        return json.loads(read_text(path))
    except json.JSONDecodeError as error:
        raise ValueError(f"{path}, line {error.lineno}, column {error.colno}: not JSON ({error.msg}).") from error


def _valid(data: Any, path: str | Path) -> dict:
    import fastjsonschema

    try:
        _validator()(data)
    except fastjsonschema.JsonSchemaValueException as error:
        place = "$" + "".join(f"[{step}]" if str(step).isdigit() else f".{step}" for step in error.path[1:])
        hint = " It looks like OpenIE results: read it with format='openie'." if _is_openie(data) else ""
        problem = error.message.replace(error.name or "", place, 1)
        raise ValueError(f"{path} is not valid HIF: {problem}; found {error.value!r:.200}.{hint}") from error
    return data


@cache
def _validator():
    import fastjsonschema

    return fastjsonschema.compile(json.loads(Path(__file__).with_name("hif_schema.json").read_text("utf-8")))


def _is_openie(data: Any) -> bool:
    return isinstance(data, dict) and "docs" in data


class _Ids:
    """Ids as text; 1 and "1" for two things of one kind are refused."""

    def __init__(self, path):
        self.path, self.seen = path, {}

    def text(self, what: str, value: str | float) -> str:
        number = not isinstance(value, str)
        name = str(int(value)) if number else str(value)
        if self.seen.setdefault((what, name), number) is not number:
            raise ValueError(
                f"{self.path}: the {what} ids {int(name)} (a number) and {name!r} (text) both occur, and read the same "
                "as text. Write the id the same way throughout, or rename one of the two."
            )
        return name


def _attributes(record: dict) -> dict[str, Any]:
    """``attrs`` and the weight of a record in one dict; the record's own weight comes first."""
    attributes = dict(record.get("attrs", {}))
    if "weight" in record:
        if "weight" in attributes and attributes["weight"] != record["weight"]:
            attributes["attrs.weight"] = attributes["weight"]
        attributes["weight"] = record["weight"]
    return attributes


class _Clashes:
    """Records that are listed again: equal ones collapse, new attributes are added, unequal ones are reported."""

    def __init__(self, path):
        self.path, self.found = path, []

    def add(self, rows: dict, key: Any, attributes: dict, what: str) -> None:
        if key not in rows:
            rows[key] = attributes
            return
        for name, value in attributes.items():
            if rows[key].setdefault(name, value) != value:
                self.found.append(f"{what} {key!r}, {name!r}: {rows[key][name]!r:.60} and {value!r:.60}")

    def warn(self) -> None:
        if self.found:
            more = f"; and {len(self.found) - 3} more" if len(self.found) > 3 else ""
            first = "; ".join(self.found[:3])
            message = f"{self.path}: repeated records disagree, the first value was kept: {first}{more}."
            warnings.warn(message, RecordWarning, stacklevel=3)


def write_hif(H: Hypergraph, path: str | Path) -> None:
    """Write a HIF file that reads back as an equal hypergraph.

    Tuples and NumPy arrays among the attributes become lists, dates ISO text, keys of nested dicts text.

    Raises
    ------
    ValueError
        If an attribute has no JSON form (the message shows its record).
    """
    table = H.incidences
    roles = set(table["role"].unique())
    directed = bool(roles) and "member" not in roles
    about = H.edges.attrs.get("hif", {})
    plain = "asc" if about.get("network-type") == "asc" and roles <= {"member"} else "undirected"
    encode = encoder(path=path).encode
    mixed, weighted = not directed and roles != {"member"}, bool((table["weight"] != 1).any())
    key = ["role", "weight"]

    def incidences():
        frame = table.astype({"edge": object, "node": object, "role": object})
        columns = [frame[name].tolist() for name in ("edge", "node", *key)]
        extra = known(frame.drop(columns=["edge", "node", *key]))
        for edge, node, role, weight, (_, attrs) in zip(*columns, extra, strict=True):
            record = {"edge": edge, "node": node}
            if weighted:
                record["weight"] = weight
            if directed:
                record["direction"] = _DIRECTION[role]
            elif mixed:
                attrs = {"role": role, **attrs}
            yield {**record, "attrs": attrs} if attrs else record

    def things(what: str, table):
        for name, attrs in known(table):
            record = {what: name}
            if isinstance(attrs.get("weight"), int | float) and not isinstance(attrs["weight"], bool):
                record["weight"] = attrs.pop("weight")
            yield {**record, "attrs": attrs} if attrs else record

    lists = {"incidences": incidences(), "nodes": things("node", H.nodes), "edges": things("edge", H.edges)}
    kind, metadata = encode("directed" if directed else plain), encode(about.get("metadata", {}))
    with new_text(path) as file:
        file.write(f'{{"network-type": {kind},\n"metadata": {metadata}')
        for name, records in lists.items():
            file.write(f',\n"{name}": [')
            for number, record in enumerate(records):
                file.write((",\n" if number else "\n") + encode(record))
            file.write("]")
        file.write("}\n")
