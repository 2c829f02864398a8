"""The files of CyPortQA as it is published, from a folder or a tar archive, without unpacking to disk."""

from __future__ import annotations

import re
import tarfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

__all__ = ["Files", "lead_of", "open_files"]

_PARTS = ("encoded", "advisory", "wind", "events")
_BLOCK = re.compile(r"(?P<storm>.+?_\d{4})_(?P<port>.+)_(?P<lead>\d+)h?_summary\.json")
_TEXT = re.compile(r"(?P<storm>.+_\d{4})_(?P<lead>\d+)h\.txt")
_LIMIT = 50_000_000


@dataclass(frozen=True)
class Files(Mapping[str, bytes]):
    """Contents by path relative to the data set's own folder ("advisory/ALEX_2022_24h.txt"), sorted by path."""

    source: str
    contents: dict[str, bytes]

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
    found = _from_folder(path) if path.is_dir() else _from_archive(path)
    roots = sorted({name[: name.index("encoded/")] for name in found if re.search(r"(^|/)encoded/", name)}, key=len)
    if not roots:
        raise FileNotFoundError(
            f"{path} holds no folder 'encoded' with files in it. CyPortQA has {', '.join(_PARTS)} side by side; "
            "point to the folder above them."
        )
    root = roots[0]
    kept = {name[len(root) :]: found[name] for name in sorted(found) if name.startswith(root)}
    return Files(str(path), kept)


def _from_folder(folder: Path) -> dict[str, bytes]:
    files = (file for file in folder.rglob("*") if file.is_file() and file.suffix in (".json", ".txt", ".csv"))
    return {file.relative_to(folder).as_posix(): file.read_bytes() for file in files}


def _from_archive(path: Path) -> dict[str, bytes]:
    contents = {}
    try:
        with tarfile.open(path) as archive:
            for member in archive:
                if member.isfile() and member.name.endswith((".json", ".txt", ".csv")) and member.size < _LIMIT:
                    handle = archive.extractfile(member)
                    if handle is not None:
                        contents[member.name.removeprefix("./")] = handle.read()
    except (tarfile.TarError, EOFError, OSError) as error:
        raise ValueError(f"{path} is not a whole tar archive: {error}. Copy or download it again.") from error
    return contents


def lead_of(path: str) -> tuple[str, str, int] | None:
    """Storm ("ALEX_2022"), port as the file names it ("" for storm-wide texts) and hours before landfall.

    Examples
    --------
    >>> lead_of("encoded/ALEX_2022_Canaveral_Port_District,_FL_24_summary.json")
    ('ALEX_2022', 'Canaveral Port District, FL', 24)
    >>> lead_of("wind/ALEX_2022_24h.txt")
    ('ALEX_2022', '', 24)
    """
    name = path.rsplit("/", 1)[-1]
    if found := _BLOCK.fullmatch(name):
        return found["storm"], found["port"].replace("_", " "), int(found["lead"])
    if found := _TEXT.fullmatch(name):
        return found["storm"], "", int(found["lead"])
    return None
