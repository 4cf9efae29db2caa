import { area } from '@/lib/core/mask';
import { decodeTiff } from '../codecs/tiff';
import type { ObjectLabel } from '../dataset';
import type { Detection, Source, SourceImage, SourceTree } from '../format';
import { readUidMap } from '../shared/panoptic-parts';
import { createSource, emptyImage, type Notes, pathSet } from '../shared/read-tree';
import { readSchemaFile } from '../shared/vocabulary';
import { layoutOf, originalLayout, type StreetLayout } from './layout';
import { placeOf } from './write';

const mapOf = (picture: string) =>
  picture.replace(/(^|\/)images\/([^/]+\/[^/]+\/[^/]+)\.png$/, '$1panoptic-parts/$2.tif');

async function readLayout(tree: SourceTree): Promise<StreetLayout> {
  const schema = await readSchemaFile(tree);
  return schema ? layoutOf(schema) : originalLayout;
}

export async function detect(tree: SourceTree): Promise<Detection | null> {
  const paths = pathSet(tree);
  const layout = await readLayout(tree).catch(() => originalLayout);
  const pictures = tree.paths.filter((path) => placeOf(path, layout));
  const first = pictures.find((path) => paths.has(mapOf(path)));
  if (!first) return null;
  return {
    certainty: 0.95,
    because: `${pictures.length} pictures lie in folders ${layout.groups.join(' and ')}, with maps such as ${mapOf(first)} beside them`,
  };
}

export async function read(tree: SourceTree): Promise<Source> {
  const paths = pathSet(tree);
  const layout = await readLayout(tree);
  return createSource(
    layout.schema,
    tree.paths.filter((path) => placeOf(path, layout)),
    (path) => path,
    (path, notes) => readImage(tree, paths, path, layout, notes),
  );
}

async function readImage(
  tree: SourceTree,
  paths: ReadonlySet<string>,
  path: string,
  layout: StreetLayout,
  notes: Notes,
): Promise<SourceImage | null> {
  const { split, group } = placeOf(path, layout) ?? { split: null, group: '' };
  const map = mapOf(path);
  if (!paths.has(map)) {
    notes.add('pictures without a map were left out', path);
    return null;
  }
  const { width, height, pixels } = await decodeTiff(await tree.bytes(map));
  const objects = readUidMap(pixels, width, height, layout.codes, notes, map);
  const ordered = mainFirst(objects, group, layout);
  return {
    ...emptyImage(tree, path, split),
    width,
    height,
    className: ordered[0]?.className ?? null,
    objects: ordered.map((object, index) => ({ ...object, instance: index + 1 })),
  };
}

/** The files do not say which object a picture was cut out for: the largest of the right kind is taken. */
function mainFirst(objects: readonly ObjectLabel[], group: string, layout: StreetLayout): ObjectLabel[] {
  const rank = ({ className, outline }: ObjectLabel) =>
    (layout.groupOf(className ?? '') === group ? 1e9 : 0) + (outline ? area(outline.mask) : 0);
  return [...objects].sort((a, b) => rank(b) - rank(a));
}
