"""Pycocotools' C functions, timed from C: compiles ccore.c and hands it the functions of the installed extension."""

import ctypes
import os
import shutil
import subprocess
import tempfile

import pycocotools._mask

FUNCTIONS = [
    "rleFrPoly", "rleMerge", "rleEncode", "rleDecode", "rleArea",
    "rleToBbox", "rleIou", "rleToString", "rleFrString", "rleFree",
]  # fmt: skip


class Rle(ctypes.Structure):
    _fields_ = [("h", ctypes.c_ulong), ("w", ctypes.c_ulong), ("m", ctypes.c_ulong), ("counts", ctypes.c_void_p)]


class CoreUnavailable(Exception):
    pass


class Core:
    def __init__(self):
        compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
        if not compiler:
            raise CoreUnavailable("no C compiler found")
        here = os.path.dirname(os.path.abspath(__file__))
        built = os.path.join(tempfile.mkdtemp(prefix="tessera-ccore-"), "ccore.so")
        subprocess.run([compiler, "-O2", "-shared", "-fPIC", "-o", built, os.path.join(here, "ccore.c")], check=True)
        extension = ctypes.CDLL(pycocotools._mask.__file__)
        try:
            addresses = [ctypes.cast(getattr(extension, name), ctypes.c_void_p).value for name in FUNCTIONS]
        except AttributeError as error:
            raise CoreUnavailable(f"this pycocotools does not export its C functions: {error}") from error
        self.api = (ctypes.c_void_p * len(addresses))(*addresses)
        self.library = ctypes.CDLL(built)

    def seconds(self, name, *arguments):
        function = self.library[name]
        function.restype = ctypes.c_double
        return function(self.api, *arguments)

    def parse(self, strings, h, w):
        """Rle structures from compressed strings; kept for the life of the process."""
        texts = (ctypes.c_char_p * len(strings))(*strings)
        rles = (Rle * len(strings))()
        self.library.parse(self.api, len(strings), texts, ctypes.c_ulong(h), ctypes.c_ulong(w), rles)
        return rles
