"""The general formats. Each check returns what it looked at."""
import base64
import csv
import glob
import io
import json
import os
import tarfile
import xml.etree.ElementTree as ET

import numpy as np
import yaml
from PIL import Image
from pycocotools import mask as coco_mask
from pycocotools.coco import COCO
from truth import decode, masks_of, path, same, truth_of


def coco():
    count = 0
    for name in glob.glob(path("coco", "annotations", "*.json")):
        data = COCO(name)
        for annotation in data.dataset["annotations"]:
            assert int(data.annToMask(annotation).sum()) == annotation["area"]
            count += 1
    assert count > 0
    return f"{count} annotations"


def coco_panoptic():
    count = 0
    for name in glob.glob(path("coco-panoptic", "**", "*.json"), recursive=True):
        with open(name) as file:
            document = json.load(file)
        for entry in document.get("annotations", []) if isinstance(document, dict) else []:
            found = glob.glob(path("coco-panoptic", "**", entry["file_name"]), recursive=True)
            rgb = np.array(Image.open(next(f for f in found if f.endswith(".png"))).convert("RGB")).astype(np.int64)
            ids = rgb[..., 0] + 256 * rgb[..., 1] + 65536 * rgb[..., 2]
            for segment in entry["segments_info"]:
                assert int((ids == segment["id"]).sum()) == segment["area"], entry["file_name"]
                count += 1
    assert count > 0
    return f"{count} segments"


def webdataset():
    keys = set()
    for name in glob.glob(path("webdataset", "**", "*.tar"), recursive=True):
        last = None
        with tarfile.open(name) as tar:
            for member in tar:
                key = os.path.basename(member.name).split(".", 1)[0]
                assert key == last or key not in keys, f"{key} is not consecutive"
                keys.add(key)
                last = key
    assert keys
    return f"{len(keys)} samples"


def stem_of(name):
    return os.path.splitext(os.path.basename(name))[0]


def yolo_seg():
    truth, count = truth_of("yolo-seg"), 0
    with open(path("yolo-seg", "data.yaml")) as file:
        names = yaml.safe_load(file)["names"]
    assert sorted(names) == list(range(len(names)))
    for name in glob.glob(path("yolo-seg", "labels", "*", "*.txt")):
        picture = name.replace(f"{os.sep}labels{os.sep}", f"{os.sep}images{os.sep}")[:-4]
        assert glob.glob(picture + ".*"), picture
        image, found = truth[stem_of(name)], {}
        with open(name) as lines:
            for line in lines:
                index, *numbers = line.split()
                points = np.array(numbers, float)
                assert len(points) >= 6 and len(points) % 2 == 0 and points.min() >= 0 and points.max() <= 1
                points = points.reshape(-1, 2) * [image["width"], image["height"]]
                runs = coco_mask.frPyObjects([points.ravel().tolist()], image["height"], image["width"])
                label = names[int(index)]
                mask = coco_mask.decode(runs)[..., 0].astype(bool)
                found[label] = found.get(label, np.zeros_like(mask)) | mask
        for label, mask in found.items():
            wanted = masks_of(image)[label]
            share = (mask & wanted).sum() / max(1, (mask | wanted).sum())
            # Holes are bridged or filled: polygons cannot hold them.
            assert share > 0.9, f"{name} {label}: IoU {share:.3f}"
            count += 1
    return f"{count} masks"


def voc():
    truth, count = truth_of("voc"), 0
    for name in glob.glob(path("voc", "Annotations", "*.xml")):
        root = ET.parse(name).getroot()
        stem = stem_of(name)
        masks = masks_of(truth[stem])
        assert Image.open(path("voc", "JPEGImages", root.findtext("filename"))).size == (
            int(root.findtext("size/width")), int(root.findtext("size/height")))
        for kind in ("SegmentationClass", "SegmentationObject"):
            png = Image.open(path("voc", kind, stem + ".png"))
            assert png.mode == "P" and png.getpalette()[3:6] == [128, 0, 0]
        for entry in [*root.findall("object"), *root.findall("object/part")]:
            box = [int(entry.findtext(f"bndbox/{side}")) for side in ("xmin", "ymin", "xmax", "ymax")]
            rows, columns = np.where(masks[entry.findtext("name")])
            assert box == [columns.min() + 1, rows.min() + 1, columns.max() + 1, rows.max() + 1], name
            count += 1
    assert count > 0
    return f"{count} boxes"


def labelme():
    truth, count = truth_of("labelme"), 0
    for name in glob.glob(path("labelme", "*", "*.json")):
        with open(name) as file:
            document = json.load(file)
        picture = os.path.join(os.path.dirname(name), document["imagePath"])
        assert Image.open(picture).size == (document["imageWidth"], document["imageHeight"])
        masks = masks_of(truth[stem_of(name)])
        for shape in document["shapes"]:
            if shape["shape_type"] != "mask":
                continue
            (left, top), (right, bottom) = [[int(v) for v in point] for point in shape["points"]]
            crop = np.array(Image.open(io.BytesIO(base64.b64decode(shape["mask"])))) > 0
            assert crop.shape == (bottom - top + 1, right - left + 1), name
            whole = np.zeros((document["imageHeight"], document["imageWidth"]), bool)
            whole[top : bottom + 1, left : right + 1] = crop
            same(whole, masks[shape["label"]], f"{name} {shape['label']}")
            count += 1
    assert count > 0
    return f"{count} masks"


def cvat():
    truth, count = truth_of("cvat"), 0
    for image in ET.parse(path("cvat", "annotations.xml")).getroot().iter("image"):
        masks = masks_of(truth[stem_of(image.get("name"))])
        for entry in image.iter("mask"):
            left, top, width, height = (int(entry.get(k)) for k in ("left", "top", "width", "height"))
            runs = [int(run) for run in entry.get("rle").split(",")]
            assert sum(runs) == width * height
            bits = np.repeat(np.arange(len(runs)) % 2 == 1, runs).reshape(height, width)
            whole = np.zeros((int(image.get("height")), int(image.get("width"))), bool)
            whole[top : top + height, left : left + width] = bits
            same(whole, masks[entry.get("label")], image.get("name"))
            count += 1
    assert count > 0
    return f"{count} masks"


def unpack_brush(rle, size):
    """thi.ng rle-pack: a count, the size of a word, four sizes of lengths, then runs and stretches."""
    bits, at = np.unpackbits(np.array(rle, np.uint8)), 0

    def take(n):
        nonlocal at
        at += n
        return int("".join(map(str, bits[at - n : at])), 2)

    total, word = take(32), take(5) + 1
    lengths = [take(4) + 1 for _ in range(4)]
    out, i = np.zeros(total, np.uint8), 0
    while i < total:
        is_run = take(1)
        end = i + 1 + take(lengths[take(2)])
        if is_run:
            out[i:end] = take(word)
        else:
            for k in range(i, end):
                out[k] = take(word)
        i = end
    return out.reshape(*size, 4)[..., 3] > 0


def label_studio():
    truth, count = truth_of("label-studio"), 0
    with open(path("label-studio", "tasks.json")) as file:
        tasks = json.load(file)
    for task in tasks:
        masks = masks_of(truth[stem_of(task["data"]["image"])])
        for result in task["annotations"][0]["result"]:
            if result["type"] != "brushlabels":
                continue
            size = (result["original_height"], result["original_width"])
            label = result["value"]["brushlabels"][0]
            same(unpack_brush(result["value"]["rle"], size), masks[label], f"{task['id']} {label}")
            count += 1
    assert count > 0
    return f"{count} masks"


def datumaro():
    truth, count = truth_of("datumaro"), 0
    for name in glob.glob(path("datumaro", "annotations", "*.json")):
        with open(name) as file:
            document = json.load(file)
        labels = [label["name"] for label in document["categories"]["label"]["labels"]]
        for item in document["items"]:
            masks = masks_of(truth[stem_of(item["image"]["path"])])
            for entry in item["annotations"]:
                if entry["type"] == "mask":
                    same(decode(entry["rle"]), masks[labels[entry["label_id"]]], item["id"])
                    count += 1
    assert count > 0
    return f"{count} masks"


def png_masks():
    truth, count = truth_of("png-masks"), 0
    with open(path("png-masks", "masks.csv"), newline="") as file:
        for row in csv.DictReader(file):
            png = np.array(Image.open(path("png-masks", row["mask"]))) > 0
            assert int(png.sum()) == int(row["area"])
            same(png, masks_of(truth[stem_of(row["image"])])[row["label"]], row["mask"])
            count += 1
    assert count > 0
    return f"{count} masks"


def hf_parquet():
    import pyarrow.parquet as parquet

    rows = 0
    for name in glob.glob(path("hf-parquet", "data", "*.parquet")):
        table = parquet.read_table(name)
        features = json.loads(table.schema.metadata[b"huggingface"])["info"]["features"]
        columns = [column for column, kind in features.items() if kind == {"_type": "Image"}]
        assert columns, features
        for value in table.column(columns[0]).to_pylist():
            Image.open(io.BytesIO(value["bytes"])).load()
            rows += 1
    assert rows > 0
    return f"{rows} rows"


CHECKS = {
    "coco": coco, "coco-panoptic": coco_panoptic, "yolo-seg": yolo_seg, "voc": voc, "labelme": labelme,
    "cvat": cvat, "label-studio": label_studio, "datumaro": datumaro, "hf-parquet": hf_parquet,
    "webdataset": webdataset, "png-masks": png_masks,
}
