"""Layouts of public datasets that take any labels, read as their loaders read them."""
import json
import os

import numpy as np
import yaml
from PIL import Image

from truth import decode, path, truth_of


def truth(name):
    return list(truth_of(name).values())


def within(class_name, part):
    """The part as it is named in its class: "wheel" for "car:wheel"."""
    return part.removeprefix(f"{class_name}:")


def load(*names):
    with open(path(*names)) as file:
        return json.load(file)


def paco():
    """Objects and parts by obj_ann_id, as the notebooks of the release group them."""
    count = 0
    by_stem = {image["stem"]: image for image in truth("paco")}
    for split in ("train", "val", "test"):
        data = load("paco", "annotations", f"paco_lvis_v1_{split}.json")
        names = {entry["id"]: entry["name"] for entry in data["categories"]}
        images = {entry["id"]: entry for entry in data["images"]}
        groups = {a["id"]: (a, []) for a in data["annotations"] if a["id"] == a["obj_ann_id"]}
        for a in data["annotations"]:
            if a["id"] != a["obj_ann_id"]:
                groups[a["obj_ann_id"]][1].append(a)
        for whole, parts in groups.values():
            image = images[whole["image_id"]]
            assert Image.open(path("paco", image["file_name"])).size == (image["width"], image["height"])
            known = by_stem[os.path.basename(image["file_name"]).rsplit(".", 1)[0]]["objects"][0]
            assert names[whole["category_id"]] == known["class"]
            assert (decode(whole["segmentation"]) == decode(known["outline"])).all()
            assert len(parts) == len(known["parts"])
            for part in parts:
                class_name, name = names[part["category_id"]].split(":", 1)
                runs = known["parts"].get(f"{class_name}:{name}") or known["parts"][name]
                assert class_name == known["class"] and (decode(part["segmentation"]) == decode(runs)).all()
                count += 1
    return f"{count} parts"


def visible(image):
    """Class and part → pixels that are not covered."""
    found = {}
    for key, counts in image["visible"].items():
        class_name, _, part = key.split(" ", 2)
        mask = decode({"size": [image["height"], image["width"]], "counts": counts})
        found[class_name, part] = found.get((class_name, part), False) | mask
    return found


def part_maps(name, ignore, dtype):
    def check():
        parts = load(name, "classes.json")["parts"]
        images = truth(name)
        for image in images:
            folder = {"train": "training", "val": "validation"}.get(image["split"], image["split"]) if ignore > 255 else image["split"]
            file = path(name, "annotations_detectron2_part", folder, f"{image['stem']}.png")
            values = np.asarray(Image.open(file))
            assert values.dtype == dtype, values.dtype
            expected = np.full(values.shape, ignore)
            for (class_name, part), mask in visible(image).items():
                expected[mask] = parts.index(f"{class_name}'s {within(class_name, part)}")
            assert (values == expected).all()
        if ignore == 255:
            for split in ("train", "val"):
                counts = load(name, "annotations_detectron2_part", f"{split}_obj_label_count.json")
                for file, ids in counts.items():
                    values = np.unique(np.asarray(Image.open(path(name, "annotations_detectron2_obj", split, file))))
                    assert ids == [v for v in values.tolist() if v != 255]
        else:
            for split in ("train", "val"):
                data = load(name, f"ade20k_instance_{split}.json")
                assert all(a["part_category_id"] == sorted(a["part_category_id"]) for a in data["annotations"])
        return f"{len(images)} maps"

    return check


def part_imagenet_pp():
    """The class is the place of the folder; ToTensor of a 16-bit PNG keeps its numbers."""
    name, count = "part-imagenet-pp", 0
    table = {}
    exec(open(path(name, "partimagenetpp", "classinfo_1k_pp.py")).read(), table)
    names = {entry["folder"]: entry for entry in load(name, "partimagenetpp", "classes.json")}
    by_stem = {image["stem"]: image for image in truth(name)}
    for split in ("train", "val", "test"):
        root = path(name, "partimagenetpp", split)
        folders = sorted(entry.name for entry in os.scandir(os.path.join(root, "img")) if entry.is_dir())
        assert folders == list(table["CLASSES"])
        for folder in folders:
            lines = open(os.path.join(root, "whether_pseudo", f"{folder}.txt")).readlines()
            marks = {line.strip().split(" ")[0].split("/")[-1]: int(line.strip().split(" ")[1]) for line in lines}
            for file in os.listdir(os.path.join(root, "img", folder)):
                assert marks[file] == 0
                stem = file.split(".")[0]
                map_ = Image.open(os.path.join(root, "seg", folder, f"{stem}.png"))
                assert map_.mode in ("I;16", "I"), map_.mode
                values, image = np.asarray(map_), by_stem[stem]
                expected = np.zeros(values.shape, int)
                for (class_name, part), mask in visible(image).items():
                    entry = names[folder]
                    expected[mask] = entry["first"] + entry["parts"].index(within(class_name, part))
                assert (values == expected).all()
                count += 1
    return f"{count} maps"


def ade20k():
    """Class numbers from red and green, instances from blue, masks from the PNG of each."""
    count = 0
    names = open(path("ade20k", "objectnames.txt")).read().split("\n")
    for image in truth("ade20k"):
        folder = {"train": "training", "val": "validation"}.get(image["split"], image["split"])
        base = path("ade20k", "images", "ADE", folder)
        data = json.load(open(os.path.join(base, f"{image['stem']}.json")))["annotation"]
        seg = np.asarray(Image.open(os.path.join(base, f"{image['stem']}_seg.png")))
        classes = (seg[:, :, 0] // 10).astype(int) * 256 + seg[:, :, 1]
        known = image["objects"][0]
        outline = decode(known["outline"])
        assert (classes[outline] == 1 + names.index(known["class"])).all() and not classes[~outline].any()
        assert (np.unique(seg[:, :, 2], return_inverse=True)[1].reshape(outline.shape).astype(bool) == outline).all()
        for entry in data["object"]:
            mask = np.asarray(Image.open(os.path.join(base, entry["instance_mask"]))) > 0
            runs = known["outline"] if entry["parts"]["part_level"] == 0 else known["parts"][entry["name"]]
            assert (mask == decode(runs)).all()
            count += 1
    return f"{count} masks"


def panoptic_parts():
    name = "panoptic-parts"
    spec = yaml.safe_load(open(path(name, "datasetspec.yaml")))
    parts = spec["scene_class2part_classes"]
    sids = {class_name: index + 1 for index, class_name in enumerate(parts)}
    images = truth(name)
    for image in images:
        values = np.asarray(Image.open(path(name, "annotations", image["split"], f"{image['stem']}.tif")))
        assert values.dtype == np.int32
        known = image["objects"][0]
        whole = np.logical_or.reduce([decode(r) for r in [known["outline"], *known["parts"].values()]])
        expected = np.where(whole, sids[known["class"]] * 1000 + known["instance"], 0)
        for (class_name, part), mask in visible(image).items():
            pid = 1 + parts[class_name].index(within(class_name, part))
            expected[mask] = (sids[class_name] * 1000 + known["instance"]) * 100 + pid
        assert (values == expected).all()
    return f"{len(images)} maps"


CHECKS = {
    "paco": paco,
    "pascal-part-116": part_maps("pascal-part-116", 255, np.uint8),
    "ade20k-part-234": part_maps("ade20k-part-234", 65535, np.uint16),
    "part-imagenet-pp": part_imagenet_pp,
    "ade20k": ade20k,
    "panoptic-parts": panoptic_parts,
}
