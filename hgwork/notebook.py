"""What every notebook starts with, and the one way to save a figure."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any

__all__ = ["figures_folder", "save_figure", "setup"]


def setup() -> None:
    """Prepare a notebook: figure style, table display, quiet logs of the model libraries."""
    import logging

    import pandas as pd

    from .plot import apply_style, light_pictures

    apply_style()
    light_pictures()
    for name, value in (("max_colwidth", 90), ("max_rows", 30), ("precision", 3), ("width", 110)):
        pd.set_option(f"display.{name}", value)
    for name in ("sentence_transformers", "transformers", "hypernetx"):
        logging.getLogger(name).setLevel(logging.ERROR)


def figures_folder() -> Path:
    """Where figures go: ``HGWORK_FIGURES``, else `figures` beside the nearest `notebooks` above, else here."""
    if given := os.environ.get("HGWORK_FIGURES"):
        return Path(given)
    here = Path.cwd()
    for folder in (here, *here.parents):
        if (folder / "notebooks").is_dir():
            return folder / "figures"
    return here / "figures"


def save_figure(figure, name: str, data=None, **parameters: Any) -> Path:
    """Save a figure as PNG and PDF with its data (CSV) and parameters (JSON) beside it.

    Parameters
    ----------
    figure : matplotlib Figure, Axes or array of Axes
    name : str
        ``NN_name``: the number of its notebook, then lower-case words joined by underscores.
    data : DataFrame or Series, optional
        What was drawn.
    **parameters
        How it was made; anything JSON can hold.

    Returns
    -------
    Path
        The PNG.
    """
    if not re.fullmatch(r"\d\d_[a-z0-9_]+", name):
        raise ValueError(f"figure name {name!r}: write the notebook's number and lower-case words, as in '02_degrees'.")
    figure = figure.flat[0] if hasattr(figure, "flat") else figure
    figure = getattr(figure, "figure", figure)
    folder = figures_folder()
    folder.mkdir(parents=True, exist_ok=True)
    png = folder / f"{name}.png"
    for path, metadata in ((png, {"Software": None}), (folder / f"{name}.pdf", {"CreationDate": None})):
        temporary = path.with_name(f".{path.name}")
        figure.savefig(temporary, format=path.suffix[1:], metadata=metadata)
        os.replace(temporary, path)
    if data is not None:
        data.to_csv(folder / f"{name}.csv", lineterminator="\n")
    if parameters:
        (folder / f"{name}.json").write_text(json.dumps(parameters, indent=1, default=str) + "\n", encoding="utf-8")
    return png
