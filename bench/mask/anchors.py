"""The other side of run.ts: pycocotools (Python and C) and OpenCV on the same data.

Started with the path of a JSON file of scenes. Reads lines `scene operation from to times`, answers one JSON line
each: the best of so many times, in seconds, by every contender that has the operation. The first line it writes says what it found.
"""

import ctypes
import json
import os
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "test", "fixtures", "mask"))
import environment

environment.require({"pycocotools": "pycocotools", "numpy": "numpy", "cv2": "opencv-python-headless"})

from importlib.metadata import version

import cv2
import numpy as np
from ccore import Core, CoreUnavailable, Rle
from pycocotools import mask as coco

cv2.setNumThreads(1)
try:
    core, core_note = Core(), "from the installed extension"
except (CoreUnavailable, OSError) as error:
    core, core_note = None, str(error)


def timed(work):
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


class Scene:
    def __init__(self, data):
        self.h, self.w = data["height"], data["width"]
        self.objects = data["objects"]
        self.strings = {key: [s.encode() for s in data[key]] for key in ("masks", "secondMasks", "blobs")}
        self.rles = {
            key: [{"size": [self.h, self.w], "counts": s} for s in strings] for key, strings in self.strings.items()
        }
        self.bitmaps = {
            kind: [coco.decode(r) for r in self.rles[key][: data["bitmapMasks"]]]
            for kind, key in (("obj", "masks"), ("blob", "blobs"))
        }
        self.rows = {kind: [np.ascontiguousarray(b) for b in bitmaps] for kind, bitmaps in self.bitmaps.items()}
        self.rounded = [
            [np.round(np.array(ring).reshape(-1, 2)).astype(np.int32) for ring in rings] for rings in self.objects
        ]
        self.target = np.zeros((self.h, self.w), np.uint8)
        if core:
            self.c = {key: core.parse(strings, self.h, self.w) for key, strings in self.strings.items()}
            self.pack_rings()

    def pack_rings(self):
        rings = [ring for rings in self.objects for ring in rings]
        self.first = np.cumsum([0] + [len(rings) for rings in self.objects]).astype(np.int32)
        self.points = np.array([len(ring) // 2 for ring in rings], np.int32)
        self.offset = np.cumsum([0] + [len(ring) for ring in rings[:-1]]).astype(np.int32)
        self.xy = np.concatenate([np.array(ring, np.float64) for ring in rings])

    def size(self):
        return ctypes.c_ulong(self.h), ctypes.c_ulong(self.w)

    # Each operation handles the items lo … hi − 1 and returns {contender: seconds}.

    def polygons(self, lo, hi):
        return self.polygon_times(lo, hi, False, lambda rings: coco.frPyObjects(rings, self.h, self.w))

    def merged(self, lo, hi):
        return self.polygon_times(lo, hi, True, lambda rings: coco.merge(coco.frPyObjects(rings, self.h, self.w)))

    def polygon_times(self, lo, hi, merged, python):
        objects = self.objects[lo:hi]
        times = {"python": timed(lambda: [python(rings) for rings in objects])}
        if core:
            first = np.ascontiguousarray(self.first[lo:])
            pointers = [a.ctypes.data_as(ctypes.c_void_p) for a in (first, self.points, self.offset, self.xy)]
            times["c"] = core.seconds("polygons", len(objects), *pointers, *self.size(), int(merged))
        return times

    def fill(self, lo, hi):
        def one(rings):
            self.target[:] = 0
            cv2.fillPoly(self.target, rings, 1)

        return {"opencv": timed(lambda: [one(rings) for rings in self.rounded[lo:hi]])}

    def fill_new(self, lo, hi):
        def one(rings):
            return cv2.fillPoly(np.zeros((self.h, self.w), np.uint8), rings, 1)

        return {"opencv": timed(lambda: [one(rings) for rings in self.rounded[lo:hi]])}

    def encode(self, lo, hi, kind, order):
        source = (self.bitmaps[kind] if order == "columns" else self.rows[kind])[lo:hi]
        as_columns = (lambda b: b) if order == "columns" else np.asfortranarray
        times = {"python": timed(lambda: [coco.encode(as_columns(b)) for b in source])}
        if core:
            pointers = (ctypes.c_void_p * len(source))(*[b.ctypes.data for b in source])
            name = "encode" if order == "columns" else "encodeRows"
            times["c"] = core.seconds(name, len(source), pointers, *self.size())
        return times

    def decode(self, lo, hi, kind):
        key = "masks" if kind == "obj" else "blobs"
        rles = self.rles[key][lo:hi]
        times = {"python": timed(lambda: [coco.decode(r) for r in rles])}
        if core:
            times["c"] = core.seconds("decode", hi - lo, self.c_slice(key, lo), *self.size())
        return times

    def contours(self, lo, hi, kind):
        def one(b):
            cv2.findContours(b, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_SIMPLE)

        return {"opencv": timed(lambda: [one(b) for b in self.rows[kind][lo:hi]])}

    def bitmap_iou(self, lo, hi):
        rows = self.rows["obj"]
        pairs = [(rows[i], rows[(i + 1) % len(rows)]) for i in range(lo, hi)]

        def one(a, b):
            return cv2.countNonZero(cv2.bitwise_and(a, b)) / max(1, cv2.countNonZero(cv2.bitwise_or(a, b)))

        return {"opencv": timed(lambda: [one(a, b) for a, b in pairs])}

    def area(self, lo, hi):
        rles = self.rles["masks"][lo:hi]
        times = {"python": timed(lambda: [coco.area(r) for r in rles])}
        if core:
            out = (ctypes.c_uint * (hi - lo))()
            times["c"] = core.seconds("areas", hi - lo, self.c_slice("masks", lo), out)
        return times

    def box(self, lo, hi):
        rles = self.rles["masks"][lo:hi]
        times = {"python": timed(lambda: [coco.toBbox(r) for r in rles])}
        if core:
            out = (ctypes.c_double * (4 * (hi - lo)))()
            times["c"] = core.seconds("boxes", hi - lo, self.c_slice("masks", lo), out)
        return times

    def pairs(self, lo, hi):
        return list(zip(self.rles["masks"][lo:hi], self.rles["secondMasks"][lo:hi]))

    def c_pairs(self, lo):
        return self.c_slice("masks", lo), self.c_slice("secondMasks", lo)

    def c_slice(self, key, lo):
        return ctypes.byref(self.c[key], lo * ctypes.sizeof(Rle))

    def combine(self, lo, hi, intersect):
        pairs = self.pairs(lo, hi)
        times = {"python": timed(lambda: [coco.merge([a, b], intersect=intersect) for a, b in pairs])}
        if core:
            times["c"] = core.seconds("merges", hi - lo, *self.c_pairs(lo), int(intersect))
        return times

    def iou(self, lo, hi):
        pairs = self.pairs(lo, hi)
        times = {"python": timed(lambda: [coco.iou([a], [b], [0]) for a, b in pairs])}
        if core:
            times["c"] = core.seconds("ious", hi - lo, *self.c_pairs(lo))
        return times

    def matrix(self, lo, hi):
        a, b = self.rles["masks"][lo:hi], self.rles["secondMasks"][:500]
        times = {"python": timed(lambda: coco.iou(a, b, [0] * len(b)))}
        if core:
            times["c"] = core.seconds("matrix", len(a), len(b), self.c_slice("masks", lo), self.c["secondMasks"])
        return times

    def write(self, lo, hi):
        return {"c": core.seconds("toStrings", hi - lo, self.c_slice("masks", lo))} if core else {}

    def read(self, lo, hi):
        if not core:
            return {}
        texts = (ctypes.c_char_p * (hi - lo))(*self.strings["masks"][lo:hi])
        return {"c": core.seconds("frStrings", hi - lo, texts, *self.size())}


OPERATIONS = {
    "polygons": Scene.polygons,
    "merged": Scene.merged,
    "fill": Scene.fill,
    "fill-new": Scene.fill_new,
    "encode-columns-obj": lambda s, lo, hi: s.encode(lo, hi, "obj", "columns"),
    "encode-columns-blob": lambda s, lo, hi: s.encode(lo, hi, "blob", "columns"),
    "encode-rows-obj": lambda s, lo, hi: s.encode(lo, hi, "obj", "rows"),
    "encode-rows-blob": lambda s, lo, hi: s.encode(lo, hi, "blob", "rows"),
    "decode-obj": lambda s, lo, hi: s.decode(lo, hi, "obj"),
    "decode-blob": lambda s, lo, hi: s.decode(lo, hi, "blob"),
    "contours-obj": lambda s, lo, hi: s.contours(lo, hi, "obj"),
    "contours-blob": lambda s, lo, hi: s.contours(lo, hi, "blob"),
    "bitmap-iou": Scene.bitmap_iou,
    "area": Scene.area,
    "box": Scene.box,
    "union": lambda s, lo, hi: s.combine(lo, hi, False),
    "intersection": lambda s, lo, hi: s.combine(lo, hi, True),
    "iou": Scene.iou,
    "matrix": Scene.matrix,
    "write": Scene.write,
    "read": Scene.read,
}

with open(sys.argv[1]) as file:
    scenes = {name: Scene(data) for name, data in json.load(file).items()}
about = {"pycocotools": version("pycocotools"), "opencv": cv2.__version__, "core": core_note}
print(json.dumps(about), flush=True)
for line in sys.stdin:
    scene, operation, lo, hi, times = line.split()
    results = [OPERATIONS[operation](scenes[scene], int(lo), int(hi)) for _ in range(int(times))]
    print(json.dumps({who: min(result[who] for result in results) for who in results[0]}), flush=True)
