import { fromLabelMap, MAX_LABEL, type Mask, merge } from '@/lib/core/mask';
import {
  asCoco,
  type CocoDocument,
  candidates,
  categoryOf,
  joinCategories,
  keyOf,
  parseCandidate,
} from '../coco/read';
import { decodePng } from '../codecs/png';
import type { Detection, SourceTree } from '../format';
import { readMapped } from '../mapping/open-source';
import { parseFacts } from '../shared/image-record';
import {
  fieldsOf,
  lostAnnotations,
  type RawAnnotation,
  type RawCategory,
  type RawImage,
  type RawSource,
  unreadable,
} from '../shared/raw-source';
import { asRecords, baseName, Notes, PicturePaths, parseSplit, readJson, tryJson } from '../shared/read-tree';
import { type PictureSize, parseSize } from '../shared/segmentation';
import { readKnown, type Vocabulary } from '../shared/vocabulary';
import { splitOfPath } from './write';

type Row = Record<string, unknown>;

const isPanoptic = (document: CocoDocument | null): document is CocoDocument =>
  document !== null &&
  document.annotations.length > 0 &&
  document.annotations.every(({ segments_info }) => Array.isArray(segments_info));

export async function detect(tree: SourceTree): Promise<Detection | null> {
  let images = 0;
  let because = '';
  for (const path of candidates(tree).slice(0, 8)) {
    const document = asCoco(await tryJson(tree, path));
    if (!isPanoptic(document)) continue;
    images += document.annotations.length;
    because ||= `${path} has segments in ${document.categories.length} categories`;
  }
  return because === ''
    ? null
    : { certainty: 0.95, because: `${because}, and there are ${images} images in all` };
}

export const read = (tree: SourceTree) => readMapped(tree, open);

export async function open(tree: SourceTree): Promise<RawSource> {
  const paths: string[] = [];
  const categories: RawCategory[] = [];
  for (const path of candidates(tree)) {
    const document = asCoco(await parseCandidate(tree, path));
    if (!isPanoptic(document)) continue;
    paths.push(path);
    categories.push(...segmentCategories(document));
  }
  if (paths.length === 0) throw new Error('No JSON file has segments_info, as panoptic COCO does.');
  const known = await readKnown(tree);
  const notes = new Notes();
  return {
    origin: paths[0] as string,
    categories: joinCategories(categories),
    known,
    notes,
    async *images() {
      const isMap = (path: string) => /(^|\/)panoptic_[^/]+\//.test(path);
      const files = {
        pictures: new PicturePaths(tree, (path) => !isMap(path)),
        maps: new PicturePaths(tree, isMap),
      };
      for (const path of paths) {
        const document = asCoco(await readJson(tree, path));
        if (document) yield* imagesOf(tree, path, document, known, files, notes);
      }
    },
  };
}

function segmentCategories({ categories, annotations }: CocoDocument): RawCategory[] {
  const counts = new Map<string | null, number>();
  for (const { segments_info } of annotations)
    for (const { category_id } of asRecords(segments_info)) {
      const key = keyOf(category_id);
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
  return categories.flatMap((row) => categoryOf(row, counts.get(keyOf(row.id)) ?? 0));
}

async function* imagesOf(
  tree: SourceTree,
  path: string,
  document: CocoDocument,
  known: Vocabulary | null,
  files: { pictures: PicturePaths; maps: PicturePaths },
  notes: Notes,
): AsyncGenerator<RawImage> {
  const split = splitOfPath(path) ?? parseSplit(path);
  const names = new Map(document.categories.map(({ id, name }) => [keyOf(id), name]));
  const byImage = new Map(document.annotations.map((row) => [keyOf(row.image_id), row]));
  for (const image of document.images) {
    const name = typeof image.file_name === 'string' ? image.file_name : '';
    const found = name === '' ? null : files.pictures.find(name, split ?? '');
    const row = byImage.get(keyOf(image.id));
    const segments = asRecords(row?.segments_info);
    if (found === null) {
      notes.add('images whose picture is not there, or there twice, were left out', name || path);
      const problem = 'segments of images whose picture is not there, or there twice,';
      yield lostAnnotations(
        name || path,
        problem,
        segments.map((segment) => unreadable(names.get(keyOf(segment.category_id)), problem)),
      );
      continue;
    }
    const size = parseSize(image.width, image.height);
    const near = split === null ? '' : `panoptic_${split}`;
    const map = row && typeof row.file_name === 'string' ? files.maps.find(row.file_name, near) : null;
    const annotations = await annotationsOf(tree, map, segments, size, names, known);
    yield {
      path: found,
      bytes: () => tree.bytes(found),
      name: baseName(name),
      split,
      width: size?.width ?? null,
      height: size?.height ?? null,
      where: map ?? name,
      facts: parseFacts(image.tessera),
      tags: [],
      fields: fieldsOf(image),
      annotations,
    };
  }
}

async function annotationsOf(
  tree: SourceTree,
  path: string | null,
  segments: readonly Row[],
  size: PictureSize | null,
  names: ReadonlyMap<string | null, unknown>,
  known: Vocabulary | null,
): Promise<RawAnnotation[]> {
  const nameOf = (segment: Row) => names.get(keyOf(segment.category_id));
  const lost = (problem: string) => segments.map((segment) => unreadable(nameOf(segment), problem));
  if (path === null) return lost('segments of images whose map is not there');
  if (!size) return lost('segments of images whose size is not said');
  let masks: Map<number, Mask>;
  try {
    masks = await masksOf(await tree.bytes(path), segments, size.width, size.height);
  } catch (error) {
    return lost(`segments of a map that ${error instanceof Error ? error.message : 'cannot be read'}`);
  }
  const whole = wholeOutlines(segments, masks, nameOf, known);
  return segments.map((segment, index): RawAnnotation => {
    const category = nameOf(segment);
    const mask = whole[index];
    if (typeof category !== 'string') return unreadable('', 'segments without a category');
    if (!mask) return unreadable(category, 'segments without pixels');
    const { instance, iscrowd } = segment;
    return {
      category,
      instance: typeof instance === 'number' ? instance : null,
      ...((iscrowd === 1 || iscrowd === true) && { flags: ['crowd'] as const }),
      mask: () => mask,
    };
  });
}

/** Our own exports paint parts over their object: its outline is what is left of it, and its parts. */
function wholeOutlines(
  segments: readonly Row[],
  masks: ReadonlyMap<number, Mask>,
  nameOf: (segment: Row) => unknown,
  known: Vocabulary | null,
): (Mask | undefined)[] {
  const kindOf = (segment: Row) => known?.resolve(String(nameOf(segment)))?.kind;
  return segments.map((segment) => {
    const mask = masks.get(Number(segment.id));
    const { instance } = segment;
    if (!mask || typeof instance !== 'number' || kindOf(segment) !== 'object') return mask;
    const parts = segments.flatMap((other) => {
      const own = masks.get(Number(other.id));
      return own && other.instance === instance && kindOf(other) === 'part' ? [own] : [];
    });
    return merge([mask, ...parts]);
  });
}

/** The map by the places of the ids in the list, so that one pass over the pixels finds all segments. */
async function masksOf(
  bytes: Uint8Array,
  segments: readonly Row[],
  width: number,
  height: number,
): Promise<Map<number, Mask>> {
  const png = await decodePng(bytes, width * height);
  if (png.width !== width || png.height !== height) throw new Error('is not of the size of its image');
  if (png.channels < 3) throw new Error('has no colours');
  const ids = [...new Set(segments.map(({ id }) => Number(id)))].filter((id) => id > 0).slice(0, MAX_LABEL);
  const places = new Map(ids.map((id, index) => [id, index + 1]));
  const labels = new Uint16Array(width * height);
  for (let i = 0; i < labels.length; i++) {
    const at = i * png.channels;
    const [red, green, blue] = [png.pixels[at], png.pixels[at + 1], png.pixels[at + 2]] as [
      number,
      number,
      number,
    ];
    labels[i] = places.get(red + 256 * green + 65_536 * blue) ?? 0;
  }
  return new Map(
    fromLabelMap(labels, height, width).map(({ label, mask }) => [ids[label - 1] as number, mask]),
  );
}
