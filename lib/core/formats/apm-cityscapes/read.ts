import { area } from '@/lib/core/mask';
import { cityscapesParts } from '@/lib/core/schema/presets';
import { decodeTiff } from '../codecs/tiff';
import type { ObjectLabel } from '../dataset';
import type { Detection, Source, SourceImage, SourceTree } from '../format';
import { readUidMap } from '../shared/panoptic-parts';
import { createSource, emptyImage, type Notes, pathSet } from '../shared/read-tree';
import { streetCodes, superclassOf } from '../shared/street';
import { PICTURE } from './write';

const mapOf = (picture: string) =>
  picture.replace(/(^|\/)images\/([^/]+\/[^/]+\/[^/]+)\.png$/, '$1panoptic-parts/$2.tif');

export async function detect(tree: SourceTree): Promise<Detection | null> {
  const paths = pathSet(tree);
  const pictures = tree.paths.filter((path) => PICTURE.test(path));
  const first = pictures.find((path) => paths.has(mapOf(path)));
  if (!first) return null;
  return {
    certainty: 0.95,
    because: `${pictures.length} pictures lie in folders human and vehicle, with maps such as ${mapOf(first)} beside them`,
  };
}

export async function read(tree: SourceTree): Promise<Source> {
  const paths = pathSet(tree);
  return createSource(
    cityscapesParts,
    tree.paths.filter((path) => PICTURE.test(path)),
    (path) => path,
    (path, notes) => readImage(tree, paths, path, notes),
  );
}

async function readImage(
  tree: SourceTree,
  paths: ReadonlySet<string>,
  path: string,
  notes: Notes,
): Promise<SourceImage | null> {
  const [, split = '', group = ''] = PICTURE.exec(path) ?? [];
  const map = mapOf(path);
  if (!paths.has(map)) {
    notes.add('pictures without a map were left out', path);
    return null;
  }
  const { width, height, pixels } = await decodeTiff(await tree.bytes(map));
  const objects = readUidMap(pixels, width, height, streetCodes, notes, map);
  const ordered = mainFirst(objects, group);
  return {
    ...emptyImage(tree, path, split),
    width,
    height,
    className: ordered[0]?.className ?? null,
    objects: ordered.map((object, index) => ({ ...object, instance: index + 1 })),
  };
}

/** The files do not say which object a picture was cut out for: the largest of the right kind is taken. */
function mainFirst(objects: readonly ObjectLabel[], group: string): ObjectLabel[] {
  const rank = ({ className, outline }: ObjectLabel) =>
    (superclassOf(className ?? '') === group ? 1e9 : 0) + (outline ? area(outline.mask) : 0);
  return [...objects].sort((a, b) => rank(b) - rank(a));
}
