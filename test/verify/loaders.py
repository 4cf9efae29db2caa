"""The field's own loaders on the exports, where their packages can be installed."""
import glob
import json
import os
import tempfile

import numpy as np
from PIL import Image
from truth import path, truth_of


def torchvision_datasets():
    try:
        import torchvision.datasets as datasets
    except RuntimeError as error:  # built for another torch
        raise ModuleNotFoundError(name="torchvision, in a build that fits torch,") from error
    return datasets


def voc_torchvision():
    datasets = torchvision_datasets()

    count = 0
    with tempfile.TemporaryDirectory() as root:
        os.makedirs(os.path.join(root, "VOCdevkit"))
        os.symlink(os.path.abspath(path("voc")), os.path.join(root, "VOCdevkit", "VOC2012"))
        for split in ("train", "val", "trainval"):
            for image, mask in datasets.VOCSegmentation(root, "2012", split):
                assert image.size == mask.size and np.array(mask).any()
                count += 1
            for _, target in datasets.VOCDetection(root, "2012", split):
                assert target["annotation"]["object"]
    assert count > 0
    return f"{count} segmentations"


def coco_torchvision():
    datasets = torchvision_datasets()
    count = 0
    for name in sorted(glob.glob(path("coco", "annotations", "instances_*.json"))):
        split = os.path.basename(name)[len("instances_"):-len(".json")]
        data = datasets.CocoDetection(path("coco", "images", split), name)
        for image, targets in data:
            for target in targets:
                # As the training references do: polygons only.
                assert isinstance(target["segmentation"], list)
                mask = data.coco.annToMask(target)
                assert mask.shape == image.size[::-1] and int(mask.sum()) == target["area"]
                count += 1
    assert count > 0
    return f"{count} masks"


def parquet_datasets():
    from datasets import disable_progress_bars, load_dataset

    disable_progress_bars()
    with tempfile.TemporaryDirectory() as cache:
        data = load_dataset(os.path.abspath(path("hf-parquet")), cache_dir=cache)
        truth, count = truth_of("hf-parquet"), 0
        for split in data:
            for row in data[split]:
                assert row["image"].size == (row["width"], row["height"])
                count += 1
        assert count == len(truth)
        names = data["train"].features["label"].names
        assert len(names) > 0
    return f"{count} rows, {len(names)} classes"


def cityscapes_detectron2():
    """Instances as detectron2 reads them from polygons, with its rules of overlap."""
    from shapely.geometry import Polygon
    from shapely.ops import unary_union

    counted = {"person", "rider", "car", "truck", "bus"}
    count = 0
    for name in sorted(glob.glob(path("cityscapes", "gtFine", "*", "*", "*_polygons.json"))):
        with open(name) as file:
            document = json.load(file)
        ids = np.array(Image.open(name.replace("polygons.json", "instanceIds.png"))).astype(int)
        taken, found = Polygon(), 0
        for entry in reversed(document["objects"]):
            shape = Polygon(np.array(entry["polygon"], "f4") + 0.5).buffer(0.5, quad_segs=4)
            if entry["label"] not in counted:
                taken = unary_union([taken, shape])
                continue
            rest = shape.difference(taken)
            if rest.is_empty:
                continue
            taken = unary_union([taken, shape])
            found += 1
        wanted = len(set(ids[ids >= 1000].tolist()))
        assert found == wanted, f"{name}: {found} instances instead of {wanted}"
        count += found
    return f"{count} instances"


CHECKS = {
    ("voc", "torchvision"): voc_torchvision,
    ("coco", "torchvision"): coco_torchvision,
    ("hf-parquet", "datasets"): parquet_datasets,
    ("cityscapes", "detectron2's rules"): cityscapes_detectron2,
}
