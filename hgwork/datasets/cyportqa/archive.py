"""The files of CyPortQA as it is published, from a folder or a tar archive, without unpacking to disk."""

from __future__ import annotations

import re
import tarfile
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from lzma import LZMAError
from pathlib import Path

__all__ = ["Files", "lead_of", "open_files"]

_PARTS = ("encoded", "advisory", "wind", "events")
_BLOCK = re.compile(r"(?P<storm>.+?_\d{4})_(?P<port>.+)_(?P<lead>\d{1,4})h?_summary\.json")
_TEXT = re.compile(r"(?P<storm>.+_\d{4})_(?P<lead>\d{1,4})h\.txt")
_LIMIT = 50_000_000


@dataclass(frozen=True)
class Files(Mapping[str, bytes]):
    """Contents by path relative to the data set's own folder ("advisory/ALEX_2022_24h.txt"), sorted by path; `ignored`
    are (path, reason) of files in its folders that were not read."""

    source: str
    contents: dict[str, bytes]
    ignored: list[tuple[str, str]] = field(default_factory=list)

    def __getitem__(self, path: str) -> bytes:
        return self.contents[path]

    def __iter__(self):
        return iter(self.contents)

    def __len__(self) -> int:
        return len(self.contents)

    def within(self, folder: str) -> list[str]:
        """Paths in one folder."""
        return [path for path in self.contents if path.startswith(folder + "/")]


def open_files(path: str | Path) -> Files:
    """Read the files of a published copy of CyPortQA.

    Parameters
    ----------
    path : str or Path
        A folder or a tar archive (gzip or not). The folder that holds ``encoded`` may lie at any depth.

    Raises
    ------
    FileNotFoundError
        If the path, or the folder ``encoded`` in it, is not there.
    ValueError
        If an archive is not whole.
    """
    path = Path(path)
    if not path.exists():
        raise FileNotFoundError(f"{path} does not exist. Give the folder or the .tar.gz that holds CyPortQA.")
    found, ignored = _from_folder(path) if path.is_dir() else _from_archive(path)
    above = (re.match(r"(|.*?/)encoded/", name) for name in found)
    roots = sorted({match[1] for match in above if match}, key=lambda root: (len(root), root))
    if not roots:
        raise FileNotFoundError(
            f"{path} holds no folder 'encoded' with files in it. CyPortQA has {', '.join(_PARTS)} side by side; "
            "point to the folder above them."
        )
    root = roots[0]
    kept = {name[len(root) :]: found[name] for name in sorted(found) if name.startswith(root)}
    inside = tuple(root + part + "/" for part in _PARTS)
    unread = [(name[len(root) :], why) for name, why in sorted(ignored) if name.startswith(inside)]
    for other in roots[1:]:
        unread.append((f"{other}encoded/", f"a second copy; the one in {root or '.'!r} counts"))
    return Files(str(path), kept, unread)


Found = tuple[dict[str, bytes], list[tuple[str, str]]]


def _why_not(name: str, size: int) -> str:
    """Why a file is not read; empty where it is."""
    if name.rsplit("/", 1)[-1].startswith("."):
        return "a hidden file"
    if not name.lower().endswith((".json", ".txt", ".csv")):
        return "neither .json, .txt nor .csv"
    return f"{size:,} bytes, more than {_LIMIT:,}" if size >= _LIMIT else ""


def _from_folder(folder: Path) -> Found:
    contents, ignored = {}, []
    for file in sorted(file for file in folder.rglob("*") if file.is_file()):
        name = file.relative_to(folder).as_posix()
        if why := _why_not(name, file.stat().st_size):
            ignored.append((name, why))
        else:
            contents[name] = file.read_bytes()
    return contents, ignored


def _from_archive(path: Path) -> Found:
    contents: dict[str, bytes] = {}
    ignored = []
    try:
        with tarfile.open(path) as archive:
            for member in archive:
                name = member.name.removeprefix("./")
                if not member.isfile():
                    continue
                why = _why_not(name, member.size) or ("a second file of this name" if name in contents else "")
                handle = None if why else archive.extractfile(member)
                if handle is None:
                    ignored.append((name, why or "no data in the archive"))
                else:
                    contents[name] = handle.read()
    except (tarfile.TarError, EOFError, OSError, zlib.error, LZMAError) as error:
        raise ValueError(f"{path} is not a whole tar archive: {error}. Copy or download it again.") from error
    return contents, ignored


def lead_of(path: str) -> tuple[str, str, int] | None:
    """Storm ("ALEX_2022"), port as the file names it ("" for storm-wide texts) and hours before landfall.

    Examples
    --------
    >>> lead_of("encoded/ALEX_2022_Canaveral_Port_District,_FL_24_summary.json")
    ('ALEX_2022', 'Canaveral Port District, FL', 24)
    >>> lead_of("wind/ALEX_2022_24h.txt")
    ('ALEX_2022', '', 24)
    """
    name = re.sub(r"\.(json|txt)$", lambda end: end[0].lower(), path.rsplit("/", 1)[-1], flags=re.IGNORECASE)
    if found := _BLOCK.fullmatch(name):
        return found["storm"], found["port"].replace("_", " "), int(found["lead"])
    if found := _TEXT.fullmatch(name):
        return found["storm"], "", int(found["lead"])
    return None
