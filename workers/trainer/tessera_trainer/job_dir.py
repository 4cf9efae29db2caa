"""The job directory: what the trainer tells the world, so that a reader never sees half of it."""

from __future__ import annotations

import hashlib
import json
import os
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import Any, Callable


def write_atomic(path: Path, write: Callable[[Path], None]) -> None:
    """By another name, flushed to the disk, renamed: after a crash there is the old file or the new one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        write(temporary)
        with open(temporary, "rb+") as file:
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def write_json(path: Path, value: Any) -> None:
    text = json.dumps(value, allow_nan=False)
    write_atomic(path, lambda temporary: temporary.write_text(text, "utf-8") and None)


def sha256_of(path: Path) -> str:
    digest = hashlib.sha256()
    with open(path, "rb") as file:
        for block in iter(lambda: file.read(1 << 20), b""):
            digest.update(block)
    return digest.hexdigest()


def read_json(path: Path) -> Any:
    try:
        return json.loads(path.read_text("utf-8"))
    except (FileNotFoundError, ValueError):
        return None


class JobDir:
    """Only rank 0 writes events; the writers of other ranks discard them."""

    def __init__(self, root: Path, speaks: bool) -> None:
        self.root = root
        self.speaks = speaks
        self.artifacts: dict[str, dict[str, Any]] = {}
        self.attempt = 1
        self._seq = 0
        self._file: Any = None
        self._lock = threading.Lock()

    def open_events(self) -> None:
        """Goes on after the last whole line; a line torn by a crash is cut off, no reader has taken it."""
        if not self.speaks:
            return
        path = self.root / "events.jsonl"
        self._file = open(path, "ab+")
        self._file.seek(0)
        whole = 0
        for line in self._file:
            if not line.endswith(b"\n"):
                break
            whole += len(line)
            event = json.loads(line)
            self._seq = event["seq"]
            self.attempt = max(self.attempt, event["attempt"] + 1)
            if event["kind"] == "artifact":
                self.artifacts[event["path"]] = {key: event[key] for key in ("type", "path", "bytes", "sha256")}
        self._file.truncate(whole)
        self._file.seek(0, os.SEEK_END)

    def event(self, kind: str, **fields: Any) -> None:
        if self._file is None:
            return
        with self._lock:
            self._seq += 1
            line = {"seq": self._seq, "t": round(time.time(), 3), "attempt": self.attempt, "kind": kind, **fields}
            self._file.write(json.dumps(line, allow_nan=False).encode() + b"\n")
            self._file.flush()

    def warn(self, code: str, message: str, **fields: Any) -> None:
        self.event("warning", code=code, message=message, **fields)

    def artifact(self, kind: str, path: Path) -> None:
        if not self.speaks:
            return
        name = path.relative_to(self.root).as_posix()
        entry = {"type": kind, "path": name, "bytes": path.stat().st_size, "sha256": sha256_of(path)}
        self.artifacts[name] = entry
        self.event("artifact", **entry)

    def close(self) -> None:
        if self._file is not None:
            with suppress(OSError):  # On a full disk the rest of a line stays unwritten; the next attempt cuts it off.
                self._file.close()
            self._file = None


class Heartbeat(threading.Thread):
    """Rewrites heartbeat.json every two seconds, and sees whether a later attempt has taken the job over."""

    def __init__(self, job: JobDir, host: str, superseded: Callable[[], None], seconds: float = 2) -> None:
        super().__init__(daemon=True)
        self.job = job
        self.host = host
        self.superseded = superseded
        self.seconds = seconds
        self.step = 0
        self.phase = "start"
        self._ended = threading.Event()

    def has_lost(self) -> bool:
        lease = read_json(self.job.root / "lease.json")
        return isinstance(lease, dict) and lease.get("attempt", 0) > self.job.attempt

    def beat(self) -> None:
        if self.has_lost():
            self.superseded()
            return
        value = {
            "t": round(time.time(), 3), "pid": os.getpid(), "host": self.host, "attempt": self.job.attempt,
            "step": self.step, "phase": self.phase,
        }  # fmt: skip
        # Not flushed to the disk: it is worth nothing after a crash.
        temporary = self.job.root / ".heartbeat.tmp"
        try:
            temporary.write_text(json.dumps(value))
            os.replace(temporary, self.job.root / "heartbeat.json")
        except OSError:
            pass  # A full disk is for the checkpoint to tell.

    def run(self) -> None:
        while not self._ended.wait(self.seconds):
            self.beat()

    def end(self) -> None:
        self._ended.set()
