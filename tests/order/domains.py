"""A small domain of its own for tests: nothing in it is about cyclones or machines."""

import copy

import yaml

from hgwork.order import Domain

__all__ = ["CAKES", "cakes", "written"]

CAKES = {
    "name": "cakes",
    "index": {"column": "position", "label": "#{index}", "anchor": "turn:{index}", "anchor_type": "turn"},
    "scope": {"cake": {"type": "cake"}},
    "group": "{cake}",
    "scope_patterns": [r"^Cake: (?P<cake>.+)$"],
    "headers": [r"^Turn (?P<index>\d+)[ \t]*:"],
    "entity_types": {
        "cake": {"kind": "persistent", "id": "cake:{name}"},
        "stuff": {"kind": "persistent", "id": "stuff:{name}"},
        "heat": {"kind": "transient", "id": "heat:{cake}:{anchor}"},
        "turn": {"kind": "anchor", "id": "turn:{anchor}"},
    },
    "phases": ["make", "eat"],
    "families": {
        "mixing": {"phase": "make", "relations": {"mixes": {"aliases": ["stirs"]}}},
        "baking": {"phase": "make", "ordered": True, "relations": {"heats": {}, "cools": {}}},
        "eating": {"phase": "eat", "relations": {"eats": {"aliases": ["is_eaten_by"]}}},
        "between": {"relations": {"warms_to": {"underlying": "baking"}}},
    },
    "rules": [{"name": "bake_to_eat", "before": ["baking"], "after": ["eats"]}],
    "changes": [{"relation": "warms_to", "of": ["heats"], "when": "rises", "attribute": "degrees"}],
    "patterns": [
        {"relation": "mixes", "match": r"mix (?P<a>\w+) and (?P<b>\w+)", "entities": {"a": "stuff", "b": "stuff"}},
        {
            "relation": "heats",
            "match": r"at (?P<degrees>\d+ °C)",
            "entities": {"degrees": "heat"},
            "attributes": ["degrees"],
            "scope": ["cake"],
        },
        {"relation": "eats", "match": r"(?P<who>\w+) eats", "entities": {"who": "stuff"}, "scope": ["cake"]},
    ],
}


def cakes(**changes) -> Domain:
    """The domain, with top-level keys replaced."""
    return Domain.model_validate(copy.deepcopy(CAKES) | changes)


def written(folder, **changes):
    """The domain as a YAML file."""
    path = folder / "cakes.yaml"
    path.write_text(yaml.safe_dump(copy.deepcopy(CAKES) | changes, allow_unicode=True, sort_keys=False), "utf-8")
    return path
