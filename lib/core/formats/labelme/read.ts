import { type Mask, pad } from '@/lib/core/mask';
import { fromBase64 } from '../codecs/base64';
import type { Detection, Source, SourceImage, SourceTree } from '../format';
import { assemble } from '../general/assemble';
import { readFacts } from '../general/facts';
import { type GroupedShape, readGroup, thingsOfGroups } from '../general/groups';
import { pngMask } from '../general/mask-png';
import { Notes } from '../general/notes';
import { maskFault, type PictureSize, readPolygons, readSize } from '../general/segmentation';
import { splitFrom } from '../general/split-name';
import { baseName, findPaths, folderOf, isRecord, listOf, PicturePaths, tryJson } from '../general/tree';
import { type Vocabulary, vocabularyOf } from '../general/vocabulary';

type Row = Record<string, unknown>;

const isLabelMe = (given: unknown): given is Row & { shapes: unknown[]; imagePath: string } =>
  isRecord(given) && Array.isArray(given.shapes) && typeof given.imagePath === 'string';

const candidates = (tree: SourceTree) =>
  findPaths(tree, /\.json$/i).filter((path) => baseName(path) !== 'tessera-schema.json');

export async function detect(tree: SourceTree): Promise<Detection | null> {
  const paths = candidates(tree);
  for (const path of paths.slice(0, 4)) {
    const found = await tryJson(tree, path);
    if (!isLabelMe(found)) continue;
    const because = `${path} has shapes of ${found.imagePath}, as LabelMe writes them; there are ${paths.length} such files`;
    return { certainty: 0.9, because };
  }
  return null;
}

export async function read(tree: SourceTree): Promise<Source> {
  const paths = candidates(tree);
  const vocabulary = await vocabularyOf(tree, 'the LabelMe files', async () => {
    const names = new Set<string>();
    for (const path of paths) {
      const found = await tryJson(tree, path);
      if (isLabelMe(found))
        for (const { label } of listOf(found.shapes)) if (typeof label === 'string') names.add(label);
    }
    return [...names].sort().map((name) => ({ name }));
  });
  const notes = new Notes();
  return {
    schema: vocabulary.schema,
    notes: notes.list,
    async *images() {
      const pictures = new PicturePaths(tree);
      for (const path of paths) {
        const found = await tryJson(tree, path);
        if (!isLabelMe(found)) notes.add('JSON files that are no labels of LabelMe were left out', path);
        else {
          const image = await imageOf(tree, path, found, vocabulary, pictures, notes);
          if (image) yield image;
        }
      }
    },
  };
}

async function imageOf(
  tree: SourceTree,
  path: string,
  document: Row & { shapes: unknown[]; imagePath: string },
  vocabulary: Vocabulary,
  pictures: PicturePaths,
  notes: Notes,
): Promise<SourceImage | null> {
  const folder = folderOf(path);
  const name = document.imagePath;
  const beside = pictures.find(folder === '' ? name : `${folder}/${name}`, folder);
  const found = beside ?? (/[/\\]/.test(name) ? null : pictures.find(name, folder));
  if (found === null) {
    notes.add('label files whose picture is not there, or there twice, were left out', path);
    return null;
  }
  const size = readSize(document.imageWidth, document.imageHeight);
  const shapes: GroupedShape[] = [];
  for (const row of listOf(document.shapes)) shapes.push(...(await shapeOf(row, size, notes, path)));
  const isOurs = document.tessera !== undefined;
  return {
    path: found,
    bytes: () => tree.bytes(found),
    name: baseName(found),
    split: isOurs ? baseName(folder) : splitFrom(folder),
    width: size?.width ?? null,
    height: size?.height ?? null,
    ...assemble(thingsOfGroups(shapes, isOurs), readFacts(document.tessera), vocabulary, notes, path),
  };
}

async function shapeOf(
  row: Row,
  size: { width: number; height: number } | null,
  notes: Notes,
  where: string,
): Promise<GroupedShape[]> {
  const { label, shape_type: type = 'polygon' } = row;
  const leaveOut = (what: string): GroupedShape[] => {
    notes.add(`${what} were left out`, where);
    return [];
  };
  if (typeof label !== 'string') return leaveOut('shapes without a label');
  if (type !== 'mask' && type !== 'polygon') return leaveOut(`shapes of type "${String(type).slice(0, 40)}"`);
  if (!size) return leaveOut('shapes of images whose size is not said');
  try {
    const mask = type === 'mask' ? await placed(row, size) : polygon(row.points, size);
    return [{ name: label, group: readGroup(row.group_id), mask }];
  } catch (error) {
    return leaveOut(`shapes whose mask ${maskFault(error)}`);
  }
}

function polygon(points: unknown, size: PictureSize): Mask {
  if (!Array.isArray(points)) throw new Error('has no points');
  return readPolygons([points.flat()], size);
}

/** The crop, put where its first corner says. */
async function placed(row: Row, { width, height }: { width: number; height: number }): Promise<Mask> {
  if (typeof row.mask !== 'string' || !Array.isArray(row.points)) throw new Error('has no pixels');
  const [corner] = row.points as unknown[];
  const [x, y] = Array.isArray(corner) ? corner.map((each) => Math.round(Number(each))) : [];
  const mask = await pngMask(fromBase64(row.mask), width * height);
  const right = width - mask.width - (x ?? Number.NaN);
  const bottom = height - mask.height - (y ?? Number.NaN);
  if (!((x as number) >= 0 && (y as number) >= 0 && right >= 0 && bottom >= 0))
    throw new Error('lies outside of its image');
  return pad(mask, { left: x as number, top: y as number, right, bottom });
}
