import { decodePng } from '@/lib/core/formats/codecs/png';
import { decodeTiff } from '@/lib/core/formats/codecs/tiff';
import { readYaml } from '@/lib/core/formats/codecs/yaml';
import { emptyMask, exclusive, type Mask, rasterizePolygons } from '@/lib/core/mask';
import { annToMask } from './coco-readers';
import { bytesAt, type Files, folders, glob, jsonAt, lines, require, textAt } from './files';
import { fromRows, numberOf, regionsOf, type Seen } from './seen';

// biome-ignore lint/suspicious/noExplicitAny: rows of JSON as scripts without types read it.
type Row = any;

/** PACO's notebooks: parts are grouped by obj_ann_id, and every one of these must be there. */
export async function paco(files: Files): Promise<Seen[]> {
  const seen: Seen[] = [];
  for (const path of glob(files, /^annotations\/paco_lvis_v1_[^/]+\.json$/)) {
    const { images, annotations, categories, part_categories, attributes } = jsonAt(files, path);
    require(Array.isArray(part_categories) && Array.isArray(attributes), 'KeyError');
    const names = new Map<number, Row>(categories.map((category: Row) => [category.id, category]));
    const byId = new Map<number, Row>(images.map((image: Row) => [image.id, image]));
    const objects = new Set(
      annotations.filter((each: Row) => each.id === each.obj_ann_id).map(({ id }: Row) => id),
    );
    for (const annotation of annotations) {
      require(objects.has(annotation.obj_ann_id), 'KeyError: obj_ann_id');
      const image = byId.get(annotation.image_id);
      bytesAt(files, image.file_name);
      const { name, supercategory } = names.get(annotation.category_id);
      const isPart = annotation.id !== annotation.obj_ann_id;
      require(supercategory === (isPart ? 'PART' : 'OBJECT'), 'supercategory');
      seen.push({
        image: numberOf(image.file_name),
        label: isPart ? name.slice(name.indexOf(':') + 1) : name,
        mask: annToMask(annotation, image),
        flags: [
          ...(annotation.iscrowd ? ['crowd'] : []),
          ...(annotation.occluded ? ['occluded'] : []),
          ...(annotation.truncated ? ['truncated'] : []),
        ],
      });
    }
  }
  return seen;
}

async function mapRegions(files: Files, path: string, ignore: number, depth: 8 | 16) {
  const { pixels, width, height, channels, depth: found } = await decodePng(bytesAt(files, path));
  require(channels === 1 && found === depth, 'another kind of PNG');
  return regionsOf(pixels, width, height, ignore);
}

const partName = (text: string): string => text.slice(text.indexOf("'s ") + 3);

/** load_obj_part_sem_seg and load_binary_mask of OV-PARTS: pictures and maps by name, and the listed values of each map. */
export async function pascalPart116(files: Files): Promise<Seen[]> {
  const seen: Seen[] = [];
  const { classes, parts } = jsonAt(files, 'classes.json');
  for (const path of glob(files, /^annotations_detectron2_part\/[^/]+\/.*\.png$/)) {
    const [, split, stem] = /part\/([^/]+)\/(.*)\.png$/.exec(path) ?? [];
    bytesAt(files, `images/${split}/${stem}.jpg`);
    const objects = path.replaceAll('part', 'obj');
    const listed = jsonAt(files, `annotations_detectron2_part/${split}_obj_label_count.json`)[`${stem}.png`];
    const regions = await mapRegions(files, objects, 255, 8);
    require(String(listed) === String(regions.map(({ value }) => value)), 'listed classes');
    for (const { value, mask } of regions) seen.push({ image: numberOf(path), label: classes[value], mask });
    for (const { value, mask } of await mapRegions(files, path, 255, 8))
      seen.push({ image: numberOf(path), label: partName(parts[value]), mask });
  }
  return seen;
}

/** register_ade_part_234.py of OV-PARTS: objects from COCO files, parts from 16-bit maps. */
export async function ade20kPart234(files: Files): Promise<Seen[]> {
  const seen: Seen[] = [];
  const { classes, parts } = jsonAt(files, 'classes.json');
  const folderOf: Record<string, string> = { train: 'training', val: 'validation' };
  for (const path of glob(files, /^ade20k_instance_[^/]+\.json$/)) {
    const split = /instance_(.+)\.json/.exec(path)?.[1] ?? '';
    const folder = folderOf[split] ?? split;
    const { images, annotations } = jsonAt(files, path);
    const byId = new Map<number, Row>(images.map((image: Row) => [image.id, image]));
    for (const image of images) {
      bytesAt(files, `images/${folder}/${image.file_name}`);
      const map = `annotations_detectron2_part/${folder}/${image.file_name.replace('jpg', 'png')}`;
      for (const { value, mask } of await mapRegions(files, map, 65_535, 16))
        seen.push({ image: numberOf(image.file_name), label: partName(parts[value]), mask });
    }
    for (const annotation of annotations) {
      require(Array.isArray(annotation.part_category_id), 'part_category_id');
      const image = byId.get(annotation.image_id);
      const flags = annotation.iscrowd ? ['crowd'] : [];
      const label = classes[annotation.category_id];
      seen.push({ image: numberOf(image.file_name), label, mask: annToMask(annotation, image), flags });
    }
  }
  return seen;
}

/** PartImageNetSegDataset: the class is the place of the folder, which every split must have. */
export async function partImagenetPp(files: Files): Promise<Seen[]> {
  const seen: Seen[] = [];
  const table = jsonAt(files, 'partimagenetpp/classes.json');
  for (const split of ['train', 'val', 'test']) {
    const root = `partimagenetpp/${split}`;
    const classes = folders(files, `${root}/img`);
    require(String(classes) === String(table.map(({ folder }: Row) => folder)), 'other folders');
    for (const folder of classes) {
      const marks = lines(textAt(files, `${root}/whether_pseudo/${folder}.txt`)).map((line) =>
        line.split(' '),
      );
      for (const path of glob(files, new RegExp(`^${root}/img/${folder}/`))) {
        const name = path.split('/').at(-1) as string;
        require(marks.some(([mark]) => mark?.split('/').at(-1) === name), 'KeyError: mark');
        const map = `${root}/seg/${folder}/${name.split('.')[0]}.png`;
        for (const { value, mask } of await mapRegions(files, map, 0, 16)) {
          const entry = table.find(({ first, parts }: Row) => value >= first && value < first + parts.length);
          require(entry.folder === folder, 'a part of another class');
          seen.push({ image: numberOf(path), label: entry.parts[value - entry.first], mask });
        }
      }
    }
  }
  return seen;
}

/** Datumaro's reader of the 2021 release: names from the JSON, masks from the PNG of each instance. */
export async function ade20k(files: Files): Promise<Seen[]> {
  const seen: Seen[] = [];
  const names = lines(textAt(files, 'objectnames.txt'));
  for (const path of glob(files, /^images\/ADE\/.*\.json$/)) {
    const stem = path.slice(0, -'.json'.length);
    bytesAt(files, `${stem}.jpg`);
    const seg = await decodePng(bytesAt(files, `${stem}_seg.png`));
    require(seg.channels === 3, 'RGB');
    const numbers = new Set(
      Array.from({ length: seg.width * seg.height }, (_, i) => {
        const [red = 0, green = 0] = [seg.pixels[3 * i], seg.pixels[3 * i + 1]];
        return Math.floor(red / 10) * 256 + green;
      }),
    );
    for (const entry of jsonAt(files, path).annotation.object) {
      require(names[entry.name_ndx - 1] === entry.raw_name, 'number of the name');
      if (entry.parts.part_level === 0) require(numbers.has(entry.name_ndx), 'not in the map');
      else bytesAt(files, `${stem}_parts_${entry.parts.part_level}.png`);
      const { pixels, width, height } = await decodePng(
        bytesAt(files, `${path.slice(0, path.lastIndexOf('/'))}/${entry.instance_mask}`),
      );
      const flags = [...(entry.occluded === 'yes' ? ['occluded'] : []), ...entry.attributes];
      seen.push({
        image: numberOf(path),
        label: entry.raw_name,
        mask: fromRows(pixels, width, height, 255),
        flags,
      });
    }
  }
  return seen;
}

/** panoptic_parts with the specification beside the maps: things without an instance are groups. */
export async function panopticParts(files: Files): Promise<Seen[]> {
  const seen: Seen[] = [];
  const spec = readYaml(textAt(files, 'datasetspec.yaml')) as Row;
  const classes = Object.keys(spec.scene_class2part_classes);
  const things = spec.scene_classes_with_instances ?? [];
  for (const path of glob(files, /^annotations\/.*\.tif$/)) {
    bytesAt(files, path.replace('annotations/', 'images/').replace('.tif', '.jpg'));
    const { pixels, width, height } = await decodeTiff(bytesAt(files, path));
    for (const { value, mask } of regionsOf(pixels, width, height, 0)) {
      const digits = String(value);
      require(digits.length !== 3, 'ValueError: uid');
      const sid = Number(digits.length <= 2 ? digits : digits.slice(0, digits.length <= 5 ? -3 : -5));
      const pid = digits.length <= 5 ? 0 : Number(digits.slice(-2));
      const name = classes[sid - 1] as string;
      const groups: Row = spec.countable_pids_groupings?.[name] ?? {};
      const folded = Object.keys(groups).find((part) => groups[part].map(Number).includes(pid));
      const label = pid === 0 ? name : (folded ?? spec.scene_class2part_classes[name][pid - 1]);
      const flags = digits.length <= 2 && things.includes(name) ? ['crowd'] : [];
      seen.push({ image: numberOf(path), label, mask, flags });
    }
  }
  return seen;
}

/** What a viewer fills: the rings of each path by the even-odd rule. */
export async function overlays(files: Files): Promise<Seen[]> {
  const seen: Seen[] = [];
  for (const path of glob(files, /\.svg$/)) {
    const svg = textAt(files, path);
    const [, width, height] = /<image width="(\d+)" height="(\d+)"/.exec(svg) ?? [];
    require(svg.includes('data:image/jpeg;base64,'), 'a picture');
    for (const [, label = '', flags = '', rings = ''] of svg.matchAll(
      /<path data-label="([^"]+)"(?: data-flags="([^"]+)")?[^>]* d="([^"]+)"/g,
    )) {
      const masks = rings
        .split('M')
        .filter((ring) => ring !== '')
        .map((ring) =>
          rasterizePolygons([ring.replace('Z', '').split(/[L ]/).map(Number)], Number(height), Number(width)),
        );
      const mask = masks.reduce<Mask>(
        (whole, ring) => exclusive(whole, ring),
        emptyMask(Number(height), Number(width)),
      );
      seen.push({
        image: numberOf(path),
        label,
        mask,
        flags: flags.split(' ').filter((flag) => flag !== ''),
      });
    }
  }
  return seen;
}
