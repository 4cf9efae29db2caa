"""The other side of run.ts: pycocotools (Python and C) and OpenCV on the same data.

Started with the path of a JSON file of scenes. Reads `scene operation` lines, answers one JSON line each: seconds for
one pass by every contender that has the operation. The first line it writes says what it found.
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
from ccore import Core, CoreUnavailable
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

    # Each operation returns {contender: seconds}.

    def polygons(self):
        return self.polygon_times(False, lambda rings: coco.frPyObjects(rings, self.h, self.w))

    def merged(self):
        return self.polygon_times(True, lambda rings: coco.merge(coco.frPyObjects(rings, self.h, self.w)))

    def polygon_times(self, merged, python):
        times = {"python": timed(lambda: [python(rings) for rings in self.objects])}
        if core:
            pointers = [a.ctypes.data_as(ctypes.c_void_p) for a in (self.first, self.points, self.offset, self.xy)]
            times["c"] = core.seconds("polygons", len(self.objects), *pointers, *self.size(), int(merged))
        return times

    def fill(self):
        def one(rings):
            cv2.fillPoly(np.zeros((self.h, self.w), np.uint8), rings, 1)

        return {"opencv": timed(lambda: [one(rings) for rings in self.rounded])}

    def encode(self, kind, order):
        source = self.bitmaps[kind] if order == "columns" else self.rows[kind]
        as_columns = (lambda b: b) if order == "columns" else np.asfortranarray
        times = {"python": timed(lambda: [coco.encode(as_columns(b)) for b in source])}
        if core:
            pointers = (ctypes.c_void_p * len(source))(*[b.ctypes.data for b in source])
            name = "encode" if order == "columns" else "encodeRows"
            times["c"] = core.seconds(name, len(source), pointers, *self.size())
        return times

    def decode(self, kind):
        key = "masks" if kind == "obj" else "blobs"
        rles = self.rles[key][: len(self.bitmaps[kind])]
        times = {"python": timed(lambda: [coco.decode(r) for r in rles])}
        if core:
            times["c"] = core.seconds("decode", len(rles), self.c[key], *self.size())
        return times

    def contours(self, kind):
        def one(b):
            cv2.findContours(b, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_SIMPLE)

        return {"opencv": timed(lambda: [one(b) for b in self.rows[kind]])}

    def bitmap_iou(self):
        bitmaps = self.rows["obj"]

        def one(a, b):
            return cv2.countNonZero(cv2.bitwise_and(a, b)) / max(1, cv2.countNonZero(cv2.bitwise_or(a, b)))

        return {"opencv": timed(lambda: [one(a, b) for a, b in zip(bitmaps, bitmaps[1:] + bitmaps[:1])])}

    def area(self):
        times = {"python": timed(lambda: [coco.area(r) for r in self.rles["masks"]])}
        if core:
            out = (ctypes.c_uint * len(self.objects))()
            times["c"] = core.seconds("areas", len(self.objects), self.c["masks"], out)
        return times

    def box(self):
        times = {"python": timed(lambda: [coco.toBbox(r) for r in self.rles["masks"]])}
        if core:
            out = (ctypes.c_double * (4 * len(self.objects)))()
            times["c"] = core.seconds("boxes", len(self.objects), self.c["masks"], out)
        return times

    def combine(self, intersect):
        pairs = list(zip(self.rles["masks"], self.rles["secondMasks"]))
        times = {"python": timed(lambda: [coco.merge([a, b], intersect=intersect) for a, b in pairs])}
        if core:
            times["c"] = core.seconds("merges", len(pairs), self.c["masks"], self.c["secondMasks"], int(intersect))
        return times

    def iou(self):
        pairs = list(zip(self.rles["masks"], self.rles["secondMasks"]))
        times = {"python": timed(lambda: [coco.iou([a], [b], [0]) for a, b in pairs])}
        if core:
            times["c"] = core.seconds("ious", len(pairs), self.c["masks"], self.c["secondMasks"])
        return times

    def matrix(self):
        a, b = self.rles["masks"][:500], self.rles["secondMasks"][:500]
        times = {"python": timed(lambda: coco.iou(a, b, [0] * len(b)))}
        if core:
            times["c"] = core.seconds("matrix", len(a), len(b), self.c["masks"], self.c["secondMasks"])
        return times

    def write(self):
        return {"c": core.seconds("toStrings", len(self.objects), self.c["masks"])} if core else {}

    def read(self):
        if not core:
            return {}
        texts = (ctypes.c_char_p * len(self.objects))(*self.strings["masks"])
        return {"c": core.seconds("frStrings", len(self.objects), texts, *self.size())}


OPERATIONS = {
    "polygons": Scene.polygons,
    "merged": Scene.merged,
    "fill": Scene.fill,
    "encode-columns-obj": lambda s: s.encode("obj", "columns"),
    "encode-columns-blob": lambda s: s.encode("blob", "columns"),
    "encode-rows-obj": lambda s: s.encode("obj", "rows"),
    "encode-rows-blob": lambda s: s.encode("blob", "rows"),
    "decode-obj": lambda s: s.decode("obj"),
    "decode-blob": lambda s: s.decode("blob"),
    "contours-obj": lambda s: s.contours("obj"),
    "contours-blob": lambda s: s.contours("blob"),
    "bitmap-iou": Scene.bitmap_iou,
    "area": Scene.area,
    "box": Scene.box,
    "union": lambda s: s.combine(False),
    "intersection": lambda s: s.combine(True),
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
    scene, operation = line.split()
    print(json.dumps(OPERATIONS[operation](scenes[scene])), flush=True)
