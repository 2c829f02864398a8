"""Pictures inside a notebook page that stay small enough to be committed with it."""

from __future__ import annotations

import io

__all__ = ["light_pictures"]


def light_pictures(colors: int = 200) -> None:
    """Show figures in the page as PNGs of so many colours, a third of the bytes; saved figures are untouched.

    The backend is loaded here and not at the first figure: those are drawn inside a style context, whose end would
    undo what the backend sets, and no later figure would be shown. Outside IPython nothing happens.
    """
    from IPython import get_ipython
    from matplotlib.figure import Figure

    if (shell := get_ipython()) is None:
        return
    import matplotlib.pyplot as plt

    plt.switch_backend(plt.get_backend())
    shell.display_formatter.formatters["image/png"].for_type(Figure, lambda figure: _palette(figure, colors))


def _palette(figure, colors: int) -> bytes | None:
    from IPython.core.pylabtools import print_figure
    from PIL import Image

    whole, out = print_figure(figure, fmt="png"), io.BytesIO()
    if whole is None:
        return None
    Image.open(io.BytesIO(whole)).convert("RGB").quantize(colors, dither=Image.Dither.NONE).save(out, "png")
    return out.getvalue()
