"""First of all, as in a run: which kernels are taken is decided when numpy is loaded."""

import tessera_trainer  # noqa: F401
