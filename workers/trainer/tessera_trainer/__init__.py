"""Trains part models from a job directory. Needs torch (1.13 or later) and numpy, nothing else."""

from . import process

SPEC_SCHEMA = "tessera-train/1"
SNAPSHOT_SCHEMA = "tessera-snapshot/1"

process.prepare()
