"""Where the bundled data lies: beside the repository's code, or inside the installed package."""

from __future__ import annotations

import os
from pathlib import Path

__all__ = ["data_folder"]

_PACKAGE = Path(__file__).parents[1]


def data_folder() -> Path:
    """The folder of the bundled data: `HGWORK_DATA` where set, else ``hgwork/_data``, else the repository's ``data``.

    Raises
    ------
    FileNotFoundError
        If the folder that was named, or every usual place, is not there.
    """
    named = os.environ.get("HGWORK_DATA")
    if named:
        if not Path(named).is_dir():
            raise FileNotFoundError(f"HGWORK_DATA={named!r} is not a folder. Point it at the data folder or unset it.")
        return Path(named)
    places = [_PACKAGE / "_data", _PACKAGE.parent / "data"]
    for place in places:
        if (place / "toy").is_dir():
            return place
    raise FileNotFoundError(
        f"the bundled data is in none of {', '.join(map(str, places))}. "
        "Set HGWORK_DATA to the folder 'data' of the hgwork repository."
    )
