"""Executing the notebooks from their sources, side by side, each in a kernel of its own."""

from __future__ import annotations

import os
import tempfile
import time
import warnings
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path

import pandas as pd
from tqdm.auto import tqdm

__all__ = ["NotebookFailed", "find_notebooks", "run_notebooks"]


class NotebookFailed(RuntimeError):
    """A cell of a notebook raised; the message names the notebook and the cell."""


def find_notebooks(folder: Path, wanted: Sequence[str] = ()) -> list[Path]:
    """The notebook sources below ``folder/src``, all or those whose names begin with one of `wanted`."""
    sources = sorted((folder / "src").glob("[0-9][0-9]_*.py"))
    if not sources:
        raise FileNotFoundError(f"no notebook sources in {folder / 'src'}. Run hgwork from the project's folder.")
    if not wanted:
        return sources
    stems = [Path(name).stem for name in wanted]
    unknown = [stem for stem in stems if not any(s.stem.startswith(stem) for s in sources)]
    if unknown:
        raise ValueError(f"no notebook is called {unknown[0]!r}. There are: {', '.join(s.stem for s in sources)}.")
    return [s for s in sources if any(s.stem.startswith(stem) for stem in stems)]


def run_notebooks(
    sources: Sequence[Path], size: str = "small", workers: int = 2, out: Path = Path("build"), update: bool = False
) -> pd.DataFrame:
    """Execute notebooks and write them as pages.

    Parameters
    ----------
    sources : list of Path
        jupytext ``py:percent`` files.
    size : {"small", "full"}
        Handed to the notebooks as ``HGWORK_SIZE``.
    workers : int
        Notebooks at a time.
    out : Path
        Gets ``pages/*.html`` and ``notebooks/*.ipynb``.
    update : bool
        Also write the executed notebooks beside `src`, where they teach on a code host.

    Returns
    -------
    DataFrame
        Columns `notebook`, `seconds`, `figures`, `failure` ("" or the cell and its error), in notebook order.
    """
    root = sources[0].parent.parent
    os.environ.update(HGWORK_SIZE=size, TQDM_DISABLE="1", HGWORK_FIGURES=str(root.resolve().parent / "figures"))
    # plotly's own format has no page form; a static figure stands beside each
    warnings.filterwarnings("ignore", message="Your element with mimetype")
    rows = []
    with ThreadPoolExecutor(workers) as pool, tqdm(total=len(sources), unit="notebook", disable=False) as bar:
        jobs = {pool.submit(_run_one, source, out, root if update else None): source for source in sources}
        for job in as_completed(jobs):
            rows.append(job.result())
            bar.set_postfix_str(f"{rows[-1]['notebook']} {rows[-1]['seconds']} s")
            bar.update()
    return pd.DataFrame(rows).sort_values("notebook", ignore_index=True)


def _run_one(source: Path, out: Path, beside: Path | None) -> dict:
    import jupytext
    import nbformat
    from nbclient import NotebookClient
    from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError
    from traitlets.config import Config

    notebook = jupytext.read(source)
    for number, cell in enumerate(notebook.cells):
        cell["id"] = f"cell-{number:02d}"
    folder = source.parent.parent
    start, failure = time.time(), ""
    with tempfile.TemporaryDirectory() as sockets:
        # sockets in the file system where there are any: nothing to listen in to, and no warning that one could
        quiet = {"transport": "ipc", "ip": str(Path(sockets, "kernel"))} if os.name == "posix" else {}
        client = NotebookClient(
            notebook,
            config=Config({"KernelManager": quiet}),
            timeout=1800,
            startup_timeout=300,
            kernel_name="python3",
            record_timing=False,
            resources={"metadata": {"path": str(folder)}},
        )
        try:
            client.execute()
        except (CellExecutionError, CellTimeoutError, DeadKernelError) as error:
            failure = _failed_cell(notebook, error)
    seconds = round(time.time() - start, 1)
    notebook.metadata.pop("widgets", None)
    targets = [out / "notebooks" / f"{source.stem}.ipynb"]
    if beside is not None and not failure:
        targets.append(beside / f"{source.stem}.ipynb")
    for target in targets:
        _replace(target, nbformat.writes(notebook))
    _replace(out / "pages" / f"{source.stem}.html", _page(notebook, source.stem))
    figures = folder.resolve().parent / "figures"
    made = [f for f in figures.glob(f"{source.stem[:2]}_*.png") if f.stat().st_mtime >= start - 1]
    return {"notebook": source.stem, "seconds": seconds, "figures": len(made), "failure": failure}


def _failed_cell(notebook, error: Exception) -> str:
    count = 0
    for cell in notebook.cells:
        if cell.cell_type != "code":
            continue
        count += 1
        for output in cell.outputs:
            if output.output_type == "error":
                first = cell.source.strip().splitlines()[0]
                return f"code cell {count} ({first}): {output.ename}: {output.evalue}"
    return f"{type(error).__name__}: {str(error).strip().splitlines()[-1]}"


def _page(notebook, title: str) -> str:
    from nbconvert import HTMLExporter

    exporter = HTMLExporter(mathjax_url="", require_js_url="", jquery_url="", embed_images=True)
    return exporter.from_notebook_node(notebook, {"metadata": {"name": title}})[0]


def _replace(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.tmp")
    temporary.write_text(text, encoding="utf-8")
    os.replace(temporary, path)
