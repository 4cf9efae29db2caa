import { fromLabelMap, MAX_LABEL, type Mask, merge } from '@/lib/core/mask';
import { asCoco, type CocoDocument, candidates, keyOf, labelOf, withParts } from '../coco/read';
import { decodePng } from '../codecs/png';
import type { Detection, Source, SourceImage, SourceTree } from '../format';
import { assembleLabels, type RawAnnotation } from '../shared/annotations';
import { parseFacts } from '../shared/image-record';
import { asRecords, baseName, Notes, PicturePaths, parseSplit, readJson, tryJson } from '../shared/read-tree';
import { parseSize } from '../shared/segmentation';
import { readVocabulary, type Vocabulary } from '../shared/vocabulary';
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

export async function read(tree: SourceTree): Promise<Source> {
  const paths: string[] = [];
  const categories: Row[] = [];
  const drawn = new Set<string>();
  for (const path of candidates(tree)) {
    const document = asCoco(await tryJson(tree, path));
    if (!isPanoptic(document)) continue;
    paths.push(path);
    for (const category of document.categories) categories.push(category);
    for (const name of segmentNames(document)) drawn.add(name);
  }
  if (paths.length === 0) throw new Error('No JSON file has segments_info, as panoptic COCO does.');
  const vocabulary = await readVocabulary(tree, paths[0] as string, () =>
    withParts(categories.flatMap(labelOf), drawn),
  );
  const notes = new Notes();
  return {
    schema: vocabulary.schema,
    notes: notes.list,
    async *images() {
      const isMap = (path: string) => /(^|\/)panoptic_[^/]+\//.test(path);
      const files = {
        pictures: new PicturePaths(tree, (path) => !isMap(path)),
        maps: new PicturePaths(tree, isMap),
      };
      for (const path of paths) {
        const document = asCoco(await readJson(tree, path));
        if (document) yield* imagesOf(tree, path, document, vocabulary, files, notes);
      }
    },
  };
}

function* segmentNames({ categories, annotations }: CocoDocument): Generator<string> {
  const names = new Map(categories.map(({ id, name }) => [keyOf(id), name]));
  for (const { segments_info } of annotations)
    for (const { category_id } of asRecords(segments_info)) {
      const name = names.get(keyOf(category_id));
      if (typeof name === 'string') yield name;
    }
}

async function* imagesOf(
  tree: SourceTree,
  path: string,
  document: CocoDocument,
  vocabulary: Vocabulary,
  files: { pictures: PicturePaths; maps: PicturePaths },
  notes: Notes,
): AsyncGenerator<SourceImage> {
  const split = splitOfPath(path) ?? parseSplit(path);
  const names = new Map(document.categories.map(({ id, name }) => [keyOf(id), name]));
  const byImage = new Map(document.annotations.map((row) => [keyOf(row.image_id), row]));
  for (const image of document.images) {
    const name = typeof image.file_name === 'string' ? image.file_name : '';
    const found = name === '' ? null : files.pictures.find(name, split ?? '');
    if (found === null) {
      notes.add('images whose picture is not there, or there twice, were left out', name || path);
      continue;
    }
    const size = parseSize(image.width, image.height);
    const row = byImage.get(keyOf(image.id));
    const near = split === null ? '' : `panoptic_${split}`;
    const map = row && typeof row.file_name === 'string' ? files.maps.find(row.file_name, near) : null;
    if (row && !map) notes.add('images whose map is not there lost their masks', name);
    const raw =
      row && map && size
        ? await rawOf(tree, map, asRecords(row.segments_info), size, names, vocabulary, notes)
        : [];
    yield {
      path: found,
      bytes: () => tree.bytes(found),
      name: baseName(name),
      split,
      width: size?.width ?? null,
      height: size?.height ?? null,
      ...assembleLabels(raw, parseFacts(image.tessera), vocabulary, notes, name),
    };
  }
}

async function rawOf(
  tree: SourceTree,
  path: string,
  segments: readonly Row[],
  { width, height }: { width: number; height: number },
  names: ReadonlyMap<string | null, unknown>,
  vocabulary: Vocabulary,
  notes: Notes,
): Promise<RawAnnotation[]> {
  let masks: Map<number, Mask>;
  try {
    masks = await masksOf(await tree.bytes(path), segments, width, height);
  } catch (error) {
    notes.add(`maps were left out: one ${error instanceof Error ? error.message : 'cannot be read'}`, path);
    return [];
  }
  const annotations = segments.flatMap((segment): RawAnnotation[] => {
    const name = names.get(keyOf(segment.category_id));
    const mask = masks.get(Number(segment.id));
    const flags = segment.iscrowd === 1 ? { flags: ['crowd' as const] } : {};
    if (typeof name === 'string' && mask)
      return [
        { name, instance: typeof segment.instance === 'number' ? segment.instance : null, mask, ...flags },
      ];
    notes.add('segments without pixels or without a category were left out', path);
    return [];
  });
  return withWholeOutlines(annotations, vocabulary);
}

/** Parts were painted over their object: its outline is what is left of it and its parts. */
function withWholeOutlines(annotations: readonly RawAnnotation[], { resolve }: Vocabulary): RawAnnotation[] {
  return annotations.map((annotation) => {
    if (annotation.instance === null || resolve(annotation.name)?.kind !== 'object') return annotation;
    const own = annotations.filter(
      ({ instance, name }) => instance === annotation.instance && resolve(name)?.kind === 'part',
    );
    return { ...annotation, mask: merge([annotation.mask, ...own.map(({ mask }) => mask)]) };
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
