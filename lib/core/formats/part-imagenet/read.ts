import { type Mask, rasterizeBox } from '@/lib/core/mask';
import { groupBy } from '@/lib/core/quality/group-by';
import { partImageNet } from '@/lib/core/schema/presets';
import type { ObjectLabel } from '../dataset';
import type { Detection, Source, SourceImage, SourceTree } from '../format';
import { mergedById } from '../general/merged-by-id';
import { Notes } from '../general/notes';
import { maskFault, type PictureSize, readSegmentation, readSize } from '../general/segmentation';
import { findPaths, listOf, PicturePaths, readJson, tryJson } from '../general/tree';
import { bareImage, imported } from '../tessera/source';

type Row = Record<string, unknown>;

const DOCUMENT = /(?:^|\/)(train|val|test)\.json$/;
const partOf = new Map(partImageNet.parts.map((part) => [part.codes?.coco as number, part]));
const classOfWnid = new Map(
  partImageNet.classes.flatMap(({ id, wnids }) => (wnids ?? []).map((wnid) => [wnid, id])),
);

const rowsOf = (document: unknown, field: string): Row[] =>
  listOf(typeof document === 'object' && document !== null ? (document as Row)[field] : undefined);

/** The release is known by its forty categories, numbered from 0. */
const isRelease = (document: unknown): boolean => {
  const categories = rowsOf(document, 'categories');
  return (
    categories.length === partImageNet.parts.length &&
    categories.every(({ id, supercategory }) => partOf.get(id as number)?.classes[0] === supercategory)
  );
};

const documentsOf = (tree: SourceTree) =>
  findPaths(tree, DOCUMENT).filter((path) => !/(^|\/)(PartBoxSegmentations|annotations)\//.test(path));

export async function detect(tree: SourceTree): Promise<Detection | null> {
  for (const path of documentsOf(tree).slice(0, 3)) {
    const document = await tryJson(tree, path);
    if (!isRelease(document)) continue;
    return {
      certainty: 0.96,
      because: `${path} has ${rowsOf(document, 'images').length} images and the 40 part categories of PartImageNet`,
    };
  }
  return null;
}

export async function read(tree: SourceTree): Promise<Source> {
  const notes = new Notes();
  return {
    schema: partImageNet,
    notes: notes.list,
    async *images() {
      const pictures = new PicturePaths(tree);
      for (const path of documentsOf(tree)) {
        const document = await readJson(tree, path);
        if (isRelease(document)) yield* imagesOf(tree, path, document, pictures, notes);
        else notes.add('files are no PartImageNet and were left out', path);
      }
    },
  };
}

function* imagesOf(
  tree: SourceTree,
  path: string,
  document: unknown,
  pictures: PicturePaths,
  notes: Notes,
): Generator<SourceImage> {
  const split = DOCUMENT.exec(path)?.[1] ?? null;
  const byImage = groupBy(rowsOf(document, 'annotations'), ({ image_id }) => String(image_id));
  for (const row of rowsOf(document, 'images')) {
    const name = typeof row.file_name === 'string' ? row.file_name : '';
    const found = pictures.find(name, split ?? '');
    const size = readSize(row.width, row.height);
    if (!found || !size) {
      notes.add('images whose picture or size is missing were left out', name || String(row.id));
      continue;
    }
    const objects = objectsOf(byImage.get(String(row.id)) ?? [], size, name, notes);
    const wnid = /^n\d{8}/.exec(name)?.[0] ?? null;
    yield {
      ...bareImage(tree, found, split),
      ...size,
      wnid,
      groupKey: wnid,
      className: objects[0]?.className ?? classOfWnid.get(wnid ?? '') ?? null,
      objects,
      hasMasks: objects.length > 0,
    };
  }
}

/** Which parts are of one animal is not said: those of a super-class make one object. */
function objectsOf(
  rows: readonly Row[],
  size: { width: number; height: number },
  name: string,
  notes: Notes,
): ObjectLabel[] {
  const objects = new Map<string, ObjectLabel>();
  for (const row of rows) {
    const part = partOf.get(row.category_id as number);
    const className = part?.classes[0];
    if (!part || !className) {
      notes.add('annotations whose category is not listed were left out', name);
      continue;
    }
    const mask = maskOf(row, size, name, notes);
    if (!mask) continue;
    const object = objects.get(className) ?? {
      className,
      instance: objects.size + 1,
      outline: null,
      parts: [],
      absent: [],
    };
    objects.set(className, object);
    object.parts.push({ ...imported, id: part.id, mask });
  }
  // Four tyres are four annotations of one part.
  return [...objects.values()].map((object) => ({ ...object, parts: mergedById(object.parts) }));
}

/** The release has polygons of two points, which mean their box, and parts of area 0, which mean nothing. */
function maskOf(row: Row, size: PictureSize, name: string, notes: Notes): Mask | null {
  const { width, height } = size;
  try {
    const { segmentation, bbox } = row;
    const isLine =
      Array.isArray(segmentation) && segmentation.every((ring) => Array.isArray(ring) && ring.length < 6);
    const isBox = Array.isArray(bbox) && bbox.length === 4 && bbox.every((value) => Number.isFinite(value));
    const mask =
      isLine && isBox
        ? rasterizeBox(bbox as [number, number, number, number], height, width)
        : readSegmentation(withoutLines(segmentation), size);
    if (isLine && isBox) notes.add('polygons of two points were read as their box', name);
    if (mask.toggles.length > 1) return mask;
    notes.add('annotations of area 0 were left out', name);
  } catch (error) {
    notes.add(`annotations were left out: their mask ${maskFault(error)}`, name);
  }
  return null;
}

const withoutLines = (segmentation: unknown): unknown =>
  Array.isArray(segmentation)
    ? segmentation.filter((ring) => Array.isArray(ring) && ring.length >= 6)
    : segmentation;
