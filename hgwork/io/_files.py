"""Files: opened with a message where they cannot be, written whole or not at all."""

from __future__ import annotations

import gzip
import io
import json
import os
import shutil
import tempfile
import warnings
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

import pandas as pd

__all__ = ["RecordWarning", "encoder", "new_folder", "new_text", "progress", "read_bytes", "read_text", "warn_rejected"]

_LFS = b"version https://git-lfs"


class RecordWarning(UserWarning):
    """Records of a file were set aside or disagreed with earlier ones; the rest was read."""


def read_bytes(path: str | Path) -> bytes:
    """The bytes of a file, unpacked where it is gzip; a git-LFS pointer is refused."""
    data = Path(path).read_bytes()
    if data.startswith(_LFS):
        raise ValueError(
            f"{path} is a git-LFS pointer: it stands for the file and holds none of its data. "
            "Run `git lfs install` and `git lfs pull` in its repository, or download the file itself."
        )
    if not data.startswith(b"\x1f\x8b"):
        return data
    try:
        return gzip.decompress(data)
    except (EOFError, OSError) as error:
        raise ValueError(f"{path} is not whole gzip data: {error}. Copy or download it again.") from error


def read_text(path: str | Path) -> str:
    """The text of a utf-8 file, line ends as they stand."""
    data = read_bytes(path)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise ValueError(f"{path}, line {line}: byte {error.start} is not utf-8. Save the file as utf-8.") from error


@contextmanager
def new_text(path: str | Path) -> Iterator[IO[str]]:
    """A text file to write (gzip where it ends in .gz) that takes its name only once it is complete."""
    path = Path(path)
    if path.is_dir():
        raise IsADirectoryError(f"{path} is a folder. Give the name of a file.")
    handle, name = tempfile.mkstemp(prefix=".hgwork-", suffix=".tmp", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as raw:
            packed = gzip.GzipFile("", "wb", 6, raw, mtime=0) if path.suffix == ".gz" else raw
            with io.TextIOWrapper(packed, encoding="utf-8", newline="") as text:  # type: ignore[type-var]
                yield text
        _settle(name, path)
    except UnicodeEncodeError as error:
        bad = error.object[max(0, error.start - 20) : error.end]
        raise ValueError(f"{path}: {bad!r} holds half a surrogate pair, which utf-8 cannot. Repair it.") from error
    finally:
        Path(name).unlink(missing_ok=True)


def _settle(name: str, path: Path) -> None:
    mask = os.umask(0)
    os.umask(mask)
    os.chmod(name, path.stat().st_mode & 0o777 if path.exists() else 0o666 & ~mask)
    os.replace(name, path)


@contextmanager
def new_folder(path: str | Path, ours) -> Iterator[Path]:
    """A folder to fill that takes its name only once it is complete; it replaces one for which ``ours`` is true."""
    path = Path(path)
    if path.exists() and not (path.is_dir() and (ours(path) or not any(path.iterdir()))):
        raise FileExistsError(f"{path} exists and was not written by hgwork. Choose another name or remove it.")
    scratch = Path(tempfile.mkdtemp(prefix=".hgwork-", suffix=".tmp", dir=path.parent))
    fresh, old = scratch / "new", scratch / "old"
    try:
        fresh.mkdir()
        yield fresh
        if path.exists():
            os.rename(path, old)
        try:
            os.rename(fresh, path)
        except OSError:
            if old.exists():
                os.rename(old, path)
            raise
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def encoder(allow_nan: bool = False, path: str | Path = "") -> json.JSONEncoder:
    """JSON text of one record; NumPy values become numbers and lists, dates ISO text, tuples lists."""

    def plain(value: Any):
        if hasattr(value, "tolist"):  # NumPy arrays and scalars
            return value.tolist()
        if hasattr(value, "isoformat"):
            return value.isoformat()
        raise TypeError(f"a value of type {type(value).__name__}, {value!r:.60},")

    class Encoder(json.JSONEncoder):
        def encode(self, record: Any) -> str:
            try:
                return super().encode(record)
            except (TypeError, ValueError) as error:
                advice = "Make it text, a finite number, a list or a dict."
                raise ValueError(f"{path}: {error} has no JSON form, in {record!r:.200}. {advice}") from error

    return Encoder(ensure_ascii=False, allow_nan=allow_nan, default=plain)


def progress(items: Iterable, total: int, what: str) -> Iterable:
    """The items, with a progress bar where there are so many that it takes seconds."""
    if total < 200_000:
        return items
    from tqdm import tqdm

    return tqdm(items, desc=what, total=total, leave=False)


def warn_rejected(path: str | Path, rejected: pd.DataFrame, what: str, read: int, advice: str, strict: bool) -> None:
    """Say how many records were set aside and why the first was; raise it where `strict`."""
    if not len(rejected):
        return
    first = rejected.iloc[0]
    place = ", ".join(f"{name} {first[name]}" for name in rejected.columns if name not in ("reason", "record"))
    if strict:
        raise ValueError(f"{path}, {place}: {first['reason']}. Correct it, or read with strict=False to set it aside.")
    count = f"{len(rejected)} of {len(rejected) + read} {what} set aside"
    warnings.warn(f"{path}: {count}; the first ({place}): {first['reason']}. {advice}", RecordWarning, stacklevel=3)
