"""Transition models on disk: `weights.safetensors` and `model.json` in one folder."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from ...io._files import new_folder
from ...models.embedder import embedder as embedder_by_name
from .features import Vocabulary
from .network import Shape, initial

if TYPE_CHECKING:
    from .model import TransitionModel

__all__ = ["load", "save"]

_FORMAT = "hgwork transition model 1"
_SETTINGS = "model.json"
_WEIGHTS = "weights.safetensors"


def save(model: TransitionModel, path: str | Path) -> Path:
    """Write a trained model; the same model gives the same bytes."""
    from safetensors.numpy import save as packed

    if not model.weights:
        raise ValueError("the model is not trained: there is nothing to save. Call fit(H, P) first.")
    content = {
        "format": _FORMAT,
        "embedder": model.signature,
        "dimension": int(model.weights["U"].shape[1]),
        "options": model._options(),
        "vocabulary": model.vocabulary.to_json() if model.vocabulary else None,
        "shapes": {name: list(value.shape) for name, value in sorted(model.weights.items())},
        "history": model.history.to_dict("list"),
    }
    path = Path(path)
    if not path.absolute().parent.is_dir():
        raise FileNotFoundError(f"{path.parent} is no folder: make it first, or save elsewhere.")
    with new_folder(path, lambda folder: (folder / _SETTINGS).is_file()) as folder:
        (folder / _WEIGHTS).write_bytes(packed({name: model.weights[name] for name in sorted(model.weights)}))
        text = json.dumps(_finite(content), ensure_ascii=False, indent=1, allow_nan=False) + "\n"
        (folder / _SETTINGS).write_text(text, encoding="utf-8")
    return path


def load(cls: type[TransitionModel], path: str | Path, embedder) -> TransitionModel:
    """Read and check a model."""
    path = Path(path)
    content = _read(path / _SETTINGS)
    lacking = {"embedder", "dimension", "options", "vocabulary", "shapes", "history"} - set(content)
    if content.get("format") != _FORMAT or lacking:
        raise ValueError(
            f"{path / _SETTINGS} is no {_FORMAT!r} (format {content.get('format')!r}"
            f"{', without ' + ', '.join(sorted(lacking)) if lacking else ''}). Save the model again."
        )
    given = _embedder(embedder, content, path)
    try:
        options = dict(content["options"])
        model = cls(options.pop("rank"), embedder=given, **options)
        model.vocabulary = Vocabulary.from_json(content["vocabulary"]) if content["vocabulary"] else None
        model.history = pd.DataFrame(content["history"])
        shapes = {str(name): list(shape) for name, shape in content["shapes"].items()}
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise ValueError(f"{path / _SETTINGS} does not describe a model ({error}). Save the model again.") from error
    model.weights = _weights(path / _WEIGHTS, shapes)
    model.signature = content["embedder"]
    _agree(model, given.dim, path)
    return model


def _read(path: Path) -> dict[str, Any]:
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except (FileNotFoundError, NotADirectoryError):
        raise FileNotFoundError(f"{path} is missing: give the folder that TransitionModel.save wrote.") from None
    except (UnicodeDecodeError, json.JSONDecodeError, RecursionError) as error:
        raise ValueError(f"{path} is no JSON: {error}. Save the model again.") from error
    if not isinstance(content, dict):
        raise ValueError(f"{path} holds no object. Save the model again.")
    return content


def _embedder(given, content: dict[str, Any], path: Path):
    """The embedder that the model was trained with, or an error that names both."""
    wanted = content["embedder"]
    try:
        given = embedder_by_name(given or "minilm") if given is None or isinstance(given, str) else given
        signature = given.signature
    except (OSError, ImportError) as error:
        raise ValueError(f"{path} needs the embedder {wanted!r}, which does not load: {error}.") from error
    if signature != wanted:
        raise ValueError(
            f"{path} was trained on vectors of {wanted!r}, the embedder is {signature!r}. Give load(path, embedder=) "
            "the one it was trained with, or train again."
        )
    if given.dim != content["dimension"]:
        raise ValueError(f"{path} was trained on {content['dimension']} dimensions, {signature!r} gives {given.dim}.")
    return given


def _weights(path: Path, shapes: dict[str, list[int]]) -> dict[str, np.ndarray]:
    from safetensors import SafetensorError
    from safetensors.numpy import load as unpacked

    try:
        weights = unpacked(path.read_bytes())
    except FileNotFoundError:
        raise FileNotFoundError(f"{path} is missing: give the folder that TransitionModel.save wrote.") from None
    except SafetensorError as error:
        raise ValueError(f"{path} is not whole safetensors data ({error}). Save the model again.") from error
    found = {name: list(value.shape) for name, value in weights.items()}
    if found != shapes:
        wrong = sorted(name for name in {*found, *shapes} if found.get(name) != shapes.get(name))[0]
        raise ValueError(
            f"{path}: {wrong!r} has the shape {found.get(wrong)}, {_SETTINGS} says {shapes.get(wrong)}. "
            "The two files are not of one model."
        )
    if odd := sorted(name for name, value in weights.items() if value.dtype != np.float32):
        raise ValueError(f"{path}: {odd[0]!r} is of type {weights[odd[0]].dtype}, not float32. Save the model again.")
    if bad := sorted(name for name, value in weights.items() if not np.isfinite(value).all()):
        raise ValueError(f"{path}: {bad[0]!r} holds numbers that are not finite. Train again.")
    return weights


def _agree(model: TransitionModel, dim: int, path: Path) -> None:
    """Whether the weights are those that the options, the vocabulary and the embedder ask for."""
    size = model.vocabulary.size if model.vocabulary else 0
    rows = model.weights["U_features"].shape[0] if "U_features" in model.weights else 0
    if size != rows or model.numbers != (size > 0):
        raise ValueError(
            f"{path}: the vocabulary of {_SETTINGS} has {size} features (numbers={model.numbers}), the weights have "
            f"{rows}. The two files are not of one model."
        )
    made = initial(Shape(dim, model.rank, size, model.direction_rank), np.random.default_rng(0))
    found = {name: value.shape for name, value in model.weights.items()}
    wanted = {name: value.shape for name, value in made.items()}
    if wrong := sorted(name for name in {*found, *wanted} if found.get(name) != wanted.get(name)):
        raise ValueError(
            f"{path}: {wrong[0]!r} has the shape {found.get(wrong[0])}, the options of {_SETTINGS} ask for "
            f"{wanted.get(wrong[0])}. The two files are not of one model."
        )


def _finite(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _finite(inner) for name, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [_finite(inner) for inner in value]
    if isinstance(value, (float, np.floating)):
        return float(value) if np.isfinite(value) else None
    return value.item() if hasattr(value, "item") else value
