"""How every figure looks, how wide it is, and the caption that goes with it."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

__all__ = ["STYLE", "caption", "grey", "new_axes", "points", "set_caption", "sizes", "style", "apply_style"]

STYLE = Path(__file__).with_name("hgwork.mplstyle")

sizes = SimpleNamespace(one_column=3.5, two_column=7.2)
"""Figure widths in inches: one and two columns of a journal page."""

grey = SimpleNamespace(ink="#1a1a1a", dark="#4d4d4d", mid="#8a8a8a", light="#d9dbe0", pale="#f2f3f7")

_ELSEWHERE = ("Noto Sans CJK SC", "Noto Sans CJK JP", "Source Han Sans SC", "PingFang SC", "Hiragino Sans",
              "Microsoft YaHei", "Noto Sans Arabic", "Noto Sans Devanagari", "Noto Sans Hebrew")  # fmt: skip


def _settings() -> list[Any]:
    """The style sheet, and after its font those installed here that hold other scripts."""
    from matplotlib import font_manager, rc_params_from_file

    rc = rc_params_from_file(STYLE, use_default_template=False)
    here = {font.name for font in font_manager.fontManager.ttflist}
    return [STYLE, {"font.sans-serif": [*rc["font.sans-serif"], *(name for name in _ELSEWHERE if name in here)]}]


def style():
    """A context in which matplotlib draws and saves as this package does.

    Examples
    --------
    >>> import matplotlib as mpl
    >>> with style():
    ...     mpl.rcParams["pdf.fonttype"]
    42
    """
    import matplotlib.style

    return matplotlib.style.context(_settings())


def apply_style() -> None:
    """Draw and save in this style from here on (a notebook does it once, at its start)."""
    import matplotlib.style

    matplotlib.style.use(_settings())


def new_axes(width: float, height: float, bare: bool = False):
    """Axes of a new figure, in inches; `bare` axes fill it, and no frame is drawn."""
    import matplotlib.pyplot as plt

    figure = plt.figure(figsize=(width, height))
    return figure.add_axes((0, 0, 1, 1)) if bare else figure.add_subplot()


def points(ax) -> tuple[float, float]:
    """Width and height of some axes in points."""
    box, figure = ax.get_position(), ax.figure.get_size_inches()
    return float(box.width * figure[0] * 72), float(box.height * figure[1] * 72)


def set_caption(axes: Any, text: str) -> None:
    first(axes).hgwork_caption = text


def caption(axes) -> str:
    """The caption of a figure that this package drew: what it shows and what could fool the reader.

    Parameters
    ----------
    axes : Axes or array of Axes
        What the figure function returned.
    """
    return getattr(first(axes), "hgwork_caption", "")


def first(axes: Any):
    return axes if hasattr(axes, "get_position") else next(iter(getattr(axes, "flat", axes)))
