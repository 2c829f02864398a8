"""Bytes of a document format -> (text, headings, fields). Headings are (offset, level, heading)."""

from __future__ import annotations

import io
import re
import warnings
from collections.abc import Iterator
from typing import Any

__all__ = ["decode", "encoding_of", "from_docx", "from_html", "from_markdown", "from_pdf"]

Page = tuple[str, list[tuple[int, int, str]], dict[str, Any]]

_BOMS = (
    (b"\xef\xbb\xbf", "utf-8-sig"),
    (b"\xff\xfe\x00\x00", "utf-32"),
    (b"\xff\xfe", "utf-16"),
    (b"\xfe\xff", "utf-16"),
)
_FRONT_MATTER = re.compile(r"\A---\s*\n(.*?)\n---\s*(?:\n|\Z)", re.DOTALL)
_BREAKS = frozenset(
    [
        "address",
        "article",
        "aside",
        "blockquote",
        "body",
        "caption",
        "center",
        "dd",
        "details",
        "dialog",
        "div",
        "dl",
        "dt",
        "fieldset",
        "figcaption",
        "figure",
        "footer",
        "form",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "header",
        "hr",
        "legend",
        "li",
        "main",
        "menu",
        "ol",
        "option",
        "p",
        "pre",
        "section",
        "summary",
        "table",
        "tbody",
        "td",
        "tfoot",
        "th",
        "thead",
        "tr",
        "ul",
    ]
)


def decode(data: bytes) -> str:
    """Text of bytes in an unknown encoding, line ends as newlines."""
    try:
        text = data.decode(encoding_of(data))
    except UnicodeDecodeError as error:
        raise ValueError(f"not text in {error.encoding} from byte {error.start} on") from error
    if "\x00" in text:
        raise ValueError("a binary file (it holds NUL bytes)")
    return _lines(text)


def encoding_of(data: bytes) -> str:
    """A byte-order mark, UTF-8 where it fits, then the likeliest; cp1252 where it is as likely as the best."""
    for mark, encoding in _BOMS:
        if data.startswith(mark):
            return encoding
    try:
        data.decode("utf-8")
        return "utf-8"
    except UnicodeDecodeError:
        if b"\x00" in data:
            raise ValueError("a binary file (it holds NUL bytes)") from None
    from charset_normalizer import from_bytes

    matches = from_bytes(data)
    best = matches.best()
    if best is None:
        raise ValueError("not text in any encoding that could be recognised")
    western = [m for m in matches if "cp1252" in (m.encoding, *m.could_be_from_charset) and m.chaos <= best.chaos]
    return "cp1252" if western or (len(data) < 256 and "cp1252" in {m.encoding for m in matches}) else best.encoding


def _lines(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


def from_markdown(data: bytes) -> Page:
    """Markdown by CommonMark with tables; YAML front matter gives the fields."""
    from markdown_it import MarkdownIt

    text, fields = decode(data), dict[str, Any]()
    front = _FRONT_MATTER.match(text)
    if front:
        import yaml

        try:
            if any(isinstance(event, yaml.AliasEvent) for event in yaml.parse(front.group(1))):
                raise ValueError("its front matter repeats parts by reference (*name), which is not read")
            fields = yaml.safe_load(front.group(1)) or {}
        except yaml.YAMLError as error:
            raise ValueError(f"its front matter is not YAML ({str(error).splitlines()[0]})") from error
        if not isinstance(fields, dict):
            raise ValueError("its front matter is not a list of 'name: value' lines")
        fields = {str(k): v for k, v in fields.items()}
        fields.pop("text", None)
        text = text[front.end() :]
    body, headings, _ = _from_tree(MarkdownIt("commonmark", {"maxNesting": 100}).enable("table").render(text))
    return body, headings, fields


def from_html(data: bytes) -> Page:
    """HTML without scripts, styles and navigation; `<title>` and `<meta name=date|citation_doi>` give fields."""
    return _from_tree(data)


def _from_tree(markup: str | bytes) -> Page:
    from bs4 import BeautifulSoup

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # XHTML is read as HTML, a page of one address as text: rightly
        soup = BeautifulSoup(markup, "html.parser")
    fields: dict[str, Any] = {}
    if soup.title and soup.title.get_text(strip=True):
        fields["title"] = " ".join(soup.title.get_text().split())
    for name, key in (("date", "date"), ("citation_date", "date"), ("citation_doi", "doi")):
        tag = soup.find("meta", attrs={"name": name})
        if tag and tag.get("content"):
            fields.setdefault(key, str(tag["content"]))
    for tag in soup(["script", "style", "nav", "noscript", "template", "head"]):
        tag.decompose()
    return (*_joined(_blocks(soup)), fields)


def _walk(soup) -> Iterator[tuple[Any, bool]]:
    """Each node as it opens (True) and each tag as it closes, in the order of the page; pages may nest without end."""
    tags = [soup]
    for node in soup.descendants:
        while node.parent is not tags[-1]:
            yield tags.pop(), False
        yield node, True
        if node.name is not None:
            tags.append(node)
    yield from ((tag, False) for tag in reversed(tags[1:]))


def _blocks(soup) -> list[tuple[int, str]]:
    """(level, text) of each stretch of text between two tags that break the flow; a row of a table is one."""
    from bs4.element import PreformattedString  # comments, the doctype

    done: list[tuple[int, str]] = []
    rows: list[list[list[tuple[int, str]]]] = []  # the open ones, each a list of cells
    words: list[str] = []
    level = 0

    def end_block() -> None:
        text = " ".join("".join(words).split())
        words.clear()
        if text:
            (rows[-1][-1] if rows else done).append((level, text))

    for node, opens in _walk(soup):
        if node.name is None:
            if not isinstance(node, PreformattedString):
                words.append(node)
            continue
        if node.name == "br":
            words.append(" ")
        if node.name not in _BREAKS:
            continue
        end_block()
        if node.name[0] == "h" and node.name[1:].isdigit():
            level = int(node.name[1]) if opens else 0
        elif node.name == "tr" and opens:
            rows.append([[]])
        elif node.name == "tr":
            cells = rows.pop()
            (rows[-1][-1] if rows else done).extend(_row(cells))
        elif node.name in ("td", "th") and opens and rows:
            rows[-1].append([])
    end_block()
    return done


def _row(cells: list[list[tuple[int, str]]]) -> list[tuple[int, str]]:
    """One line of a row of data; the blocks themselves of a table that only places paragraphs on the page."""
    if any(len(cell) > 1 or any(level for level, _ in cell) for cell in cells) or not any(cells):
        return [block for cell in cells for block in cell]
    line = " | ".join(cell[0][1] if cell else "" for cell in (cells if cells[0] else cells[1:]))
    return [(0, " ".join(line.split()))]


def _joined(blocks: list[tuple[int, str]]) -> tuple[str, list[tuple[int, int, str]]]:
    parts, headings, offset = [], [], 0
    for level, text in blocks:
        if not text:
            continue
        if level:
            headings.append((offset, level, text))
        parts.append(text)
        offset += len(text) + 2
    return "\n\n".join(parts), headings


def from_docx(data: bytes) -> Page:
    """Paragraphs and table rows of a Word file in reading order; heading styles become headings."""
    import docx
    from docx.table import Table

    file = docx.Document(io.BytesIO(data))
    blocks = []
    for item in file.iter_inner_content():
        if isinstance(item, Table):
            blocks += [(0, " | ".join(dict.fromkeys(c.text.strip() for c in row.cells))) for row in item.rows]
            continue
        style = (item.style.name or "") if item.style else ""
        level = 1 if style == "Title" else int(style[8:]) if re.fullmatch(r"Heading \d", style) else 0
        blocks.append((level, " ".join(item.text.split())))
    known = file.core_properties
    text, headings = _joined(blocks)
    return text, headings, {"title": known.title} if known.title else {}


def from_pdf(data: bytes) -> Page:
    """Text of a PDF, words broken at line ends joined; its outline entries become headings where found in the text."""
    import logging

    import pypdf

    logging.getLogger("pypdf").setLevel(logging.CRITICAL)  # its faults reach the manifest as errors
    reader = pypdf.PdfReader(io.BytesIO(data))
    if reader.is_encrypted and not reader.decrypt(""):
        raise ValueError("the PDF is encrypted; save a copy without a password")
    pages = [page.extract_text() for page in reader.pages]
    text = "\n\n".join(_reflowed(page) for page in pages if page.strip())
    if not text:
        raise ValueError(f"no text on any of its {len(pages)} pages (scanned images?); run text recognition first")
    title = (reader.metadata.title if reader.metadata else None) or ""
    return text, _outline(reader.outline, text), {"title": title.strip()} if title.strip() else {}


def _reflowed(page: str) -> str:
    page = re.sub(r"(?<=[a-z])-\n(?=[a-z])", "", _lines(page))
    paragraphs = re.split(r"\n\s*\n", page)
    return "\n\n".join(" ".join(p.split()) for p in paragraphs if p.strip())


def _outline(entries, text: str, level: int = 1, start: int = 0) -> list[tuple[int, int, str]]:
    found: list[tuple[int, int, str]] = []
    for entry in entries:
        if isinstance(entry, list):
            found += _outline(entry, text, level + 1, found[-1][0] if found else start)
            continue
        heading = " ".join(str(entry.title).split())
        place = text.find(heading, found[-1][0] if found else start)
        if heading and place >= 0:
            found.append((place, level, heading))
    return sorted(found)
