"""The command ``hgwork``."""

from __future__ import annotations

import sys
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

__all__ = ["main"]

app = typer.Typer(
    name="hgwork",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="markdown",
    help="""
A workbench for knowledge hypergraphs: documents to an n-ary hypergraph, its topology, its order.

A first session, on your own folder of documents:

    hgwork build my_papers --out build/my_papers

    hgwork info build/my_papers

    hgwork lab

Errors are one line and exit with 2; add --debug to see where they come from.
""",
)


class Size(StrEnum):
    """How much data the notebooks use."""

    small = "small"
    full = "full"


class Merge(StrEnum):
    """How names are merged."""

    guarded = "guarded"
    paper = "paper"
    none = "none"


@app.callback(invoke_without_command=True)
def _root(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Show the version and exit.")] = False,
    debug: Annotated[bool, typer.Option("--debug", help="Show the traceback of an error.")] = False,
) -> None:
    if version:
        from . import __version__

        typer.echo(__version__)
        raise typer.Exit
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


@app.command()
def build(
    documents: Annotated[
        Path, typer.Argument(help="A file or folder: .md .txt .html .jsonl .csv (.pdf .docx with the extra).")
    ],
    out: Annotated[
        Path, typer.Option("--out", "-o", help="Folder for the result; an interrupted build goes on there.")
    ],
    extractor: Annotated[
        str, typer.Option(help="rules (offline), llm (your endpoint), or replay:FILE of recorded events.")
    ] = "rules",
    merge: Annotated[Merge, typer.Option(help="guarded, paper (cosine alone) or none.")] = Merge.guarded,
    threshold: Annotated[float, typer.Option(help="Least cosine of two names that are merged.")] = 0.95,
    every: Annotated[int, typer.Option(help="Documents between two merges.")] = 10,
    embedder: Annotated[
        str, typer.Option(help="minilm (packaged), a sentence-transformers model, or openai:MODEL@URL.")
    ] = "minilm",
    chunk: Annotated[int, typer.Option(help="Most characters a chunk.")] = 10_000,
    strict: Annotated[
        bool, typer.Option("--strict", help="Stop at the first unreadable document or failed chunk.")
    ] = False,
) -> None:
    """Build a hypergraph from documents.

    Reads the documents, splits them, extracts n-ary events, merges names that mean the same and writes the
    hypergraph with its audit tables. Killed at any moment and run again, it goes on where it stopped and ends in the
    same bytes.

    The language model is set by HGWORK_CHAT_URL and HGWORK_CHAT_MODEL (any OpenAI-compatible endpoint); without it
    nothing leaves this machine.
    """
    from .corpus import build as run_build
    from .corpus import named_extractor, read_documents

    corpus = read_documents(documents, strict)
    typer.echo(corpus.summary(), err=True)
    result = run_build(
        corpus,
        named_extractor(extractor),
        embedder,
        out,
        every=every,
        threshold=threshold,
        merge=merge.value,  # type: ignore[arg-type]
        size=chunk,
        strict=strict,
    )
    failed = int((result.manifest["status"] == "failed").sum())
    if failed:
        typer.echo(f"{failed} chunks failed; see manifest.csv. Run the same command to try them again.", err=True)
    H = result.hypergraph
    if not len(H) and extractor == "rules":
        typer.echo("No statement was found. The rules read English prose; other texts need --extractor llm.", err=True)
    typer.echo(f"{len(H.nodes):,} nodes, {len(H):,} hyperedges from {len(corpus.documents)} documents in {out}")


@app.command()
def info(
    path: Annotated[Path, typer.Argument(help="A build folder or a hypergraph in any format that hgwork reads.")],
    top: Annotated[int, typer.Option(help="Most used concepts to list.", min=0)] = 10,
) -> None:
    """Print what a hypergraph holds: counts, sizes, degrees, most used concepts."""
    from . import read
    from .topology import summary

    H = read(path)
    facts = summary(H)
    width = max(len(name) for name in facts.index)
    for name, value in facts.items():
        typer.echo(f"{name:<{width}}  {_number(value)}")
    degrees = H.degrees.sort_values(ascending=False, kind="stable").head(top)
    if len(degrees):
        typer.echo("\nmost used concepts")
    for node, degree in degrees.items():
        typer.echo(f"{degree:>{width}}  {node}")


def _number(value) -> str:
    return f"{value:,.0f}" if float(value).is_integer() else f"{value:,.3f}"


@app.command()
def convert(
    source: Annotated[Path, typer.Argument(help="What to read.")],
    target: Annotated[Path, typer.Argument(help="What to write; its ending names the format.")],
) -> None:
    """Convert a hypergraph from one format to another.

    Reads and writes .hif.json, .parquet folders, .jsonl events, .csv incidences; writes .graphml and .gexf.
    """
    from . import read, write

    write(read(source), target)
    typer.echo(f"{target} written")


@app.command()
def run(
    notebooks: Annotated[
        list[str] | None, typer.Argument(help="Names or numbers (01, 02_topology); all by default.")
    ] = None,
    size: Annotated[Size, typer.Option(help="small (minutes) or full.")] = Size.small,
    workers: Annotated[int, typer.Option(help="Notebooks at a time.")] = 2,
    out: Annotated[Path, typer.Option(help="Folder for executed notebooks and pages.")] = Path("build"),
    update: Annotated[
        bool, typer.Option("--update", help="Also write the executed notebooks into notebooks/.")
    ] = False,
) -> None:
    """Execute notebooks headless; write their pages under build/ and their figures under figures/."""
    from .run import NotebookFailed, find_notebooks, run_notebooks

    sources = find_notebooks(Path("notebooks"), notebooks or ())
    table = run_notebooks(sources, size.value, workers, out, update)
    typer.echo(table[["notebook", "seconds", "figures"]].to_string(index=False))
    typer.echo(f"pages: {out / 'pages'}   figures: figures")
    broken = table[table["failure"] != ""]
    if len(broken):
        raise NotebookFailed("; ".join(f"{r.notebook}, {r.failure}" for r in broken.itertuples()))


@app.command()
def lab(
    port: Annotated[int, typer.Option(help="Port on this machine.")] = 8888,
    browser: Annotated[bool, typer.Option(help="Open a browser.")] = True,
) -> None:
    """Open the notebooks in JupyterLab."""
    import subprocess

    folder = Path("notebooks")
    if not folder.is_dir():
        raise FileNotFoundError("there is no folder notebooks here. Run hgwork lab from the project's folder.")
    command = [
        sys.executable,
        "-m",
        "jupyterlab",
        f"--port={port}",
        "--notebook-dir=.",
        "--LabApp.default_url=/lab/tree/notebooks",
    ]
    raise typer.Exit(subprocess.call(command if browser else [*command, "--no-browser"]))


def main() -> None:
    """Run the command; an error is one line and exit code 2."""
    debug = "--debug" in sys.argv[1:]
    if debug:
        sys.argv.remove("--debug")
    try:
        app()
    except Exception as error:
        if debug:
            raise
        message = error.args[0] if isinstance(error, KeyError) and error.args else str(error) or type(error).__name__
        print(f"hgwork: {' '.join(str(message).split())}", file=sys.stderr)
        sys.exit(2)
    except KeyboardInterrupt:
        print("hgwork: stopped. Run the same command to go on.", file=sys.stderr)
        sys.exit(130)


if __name__ == "__main__":
    main()
