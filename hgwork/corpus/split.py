"""Documents into chunks that know their place."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable

from ..schema import Chunk, Document

__all__ = ["split"]

_SEPARATORS = ["\n\n", "\n", ". ", "? ", "! ", " ", ""]


def split(documents: Document | Iterable[Document], size: int = 10_000, overlap: int = 0) -> list[Chunk]:
    """Split recursively at paragraphs, lines, sentences, then words [1]_.

    Parameters
    ----------
    documents : Document or iterable of Document
    size : int
        Most characters a chunk.
    overlap : int
        Characters that a chunk repeats of the one before; none in [1]_.

    Returns
    -------
    list of Chunk
        ``document.text[chunk.start:chunk.end] == chunk.text``. White space between chunks belongs to none. The id
        is ``{document}/{index}``: equal passages of two documents stay apart.

    References
    ----------
    .. [1] Higher-Order Knowledge Representations for Agentic Scientific Reasoning, section 2.1.1.

    Examples
    --------
    >>> [c.id for c in split(Document(id="d", text="One two. Three four."), size=12)]
    ['d/0', 'd/1']
    """
    if size < 1 or not 0 <= overlap < size:
        raise ValueError(f"size={size}, overlap={overlap}: size must be at least 1 and overlap below it.")
    documents = [documents] if isinstance(documents, Document) else list(documents)
    return [chunk for document in documents for chunk in _split_one(document, size, overlap)]


def _earlier(text: str, start: int, overlap: int) -> int:
    """Where a chunk begins that repeats what stands before it: at a word, where words are set apart."""
    first = max(start - overlap, 0)
    spaces = [place for place in range(first, start) if text[place].isspace()]
    if not spaces and (first == 0 or not text[first - 1].isspace()):
        return first
    begun = (p for p in range(first, start) if not text[p].isspace() and (p == 0 or text[p - 1].isspace()))
    return next(begun, start)


def _split_one(document: Document, size: int, overlap: int) -> list[Chunk]:
    text = document.text
    if len(text) <= size:
        start = len(text) - len(text.lstrip())
        pieces = [(start, text.strip())] if text.strip() else []
    else:
        from langchain_text_splitters import RecursiveCharacterTextSplitter

        splitter = RecursiveCharacterTextSplitter(
            chunk_size=size - overlap, chunk_overlap=0, separators=_SEPARATORS, keep_separator="end"
        )
        pieces, at = [], 0
        for piece in splitter.split_text(text):
            start = text.index(piece, at)
            at = start + len(piece)
            start = _earlier(text, start, overlap) if pieces else start
            pieces.append((start, text[start:at]))
    offsets = [offset for offset, _, _ in document.headings]
    chunks = []
    for index, (start, piece) in enumerate(pieces):
        place = bisect_right(offsets, start) - 1
        chunks.append(
            Chunk(
                id=f"{document.id}/{index}",
                document=document.id,
                index=index,
                start=start,
                end=start + len(piece),
                text=piece,
                heading=document.headings[place][2] if place >= 0 else None,
            )
        )
    return chunks
