import { fromBitmap } from '@/lib/core/mask';
import { partImageNet } from '@/lib/core/schema/presets';
import { decodePng } from '../codecs/png';
import type { Detection, Source, SourceImage, SourceTree } from '../format';
import type { Notes } from '../general/notes';
import { masksOfMap } from '../tessera/layers';
import { bareImage, imported, pathSet, sourceOf } from '../tessera/source';
import { BACKGROUND, IGNORE, WHOLE_BACKGROUND } from './write';

const PICTURE = /(^|.*\/)images\/(train|val|test)\/(n\d{8})_([^/]+)\.JPEG$/;
const partOf = new Map(partImageNet.parts.map((part) => [part.codes?.coco as number, part]));

const mapOf = (path: string, suffix = ''): string => {
  const [, root = '', split = '', wnid = '', rest = ''] = PICTURE.exec(path) ?? [];
  return `${root}annotations/${split}${suffix}/${wnid}_${rest}.png`;
};

export async function detect(tree: SourceTree): Promise<Detection | null> {
  const paths = pathSet(tree);
  const pictures = tree.paths.filter((path) => PICTURE.test(path) && paths.has(mapOf(path)));
  const [first] = pictures;
  if (!first) return null;
  return {
    certainty: 0.96,
    because: `${pictures.length} pictures have a map of parts such as ${mapOf(first)}, as in PartImageNet_Seg`,
  };
}

export async function read(tree: SourceTree): Promise<Source> {
  const paths = pathSet(tree);
  return sourceOf(
    partImageNet,
    tree.paths.filter((path) => PICTURE.test(path) && paths.has(mapOf(path))),
    (path) => path,
    (path, notes) => readImage(tree, paths, path, notes),
  );
}

async function readImage(
  tree: SourceTree,
  paths: ReadonlySet<string>,
  path: string,
  notes: Notes,
): Promise<SourceImage> {
  const [, , split = null, wnid = null] = PICTURE.exec(path) ?? [];
  const { width, height, pixels } = await decodePng(await tree.bytes(mapOf(path)));
  const className = partImageNet.classes.find(({ wnids }) => wnids?.includes(wnid ?? ''))?.id ?? null;
  if (pixels.every((value) => value === IGNORE)) {
    const bare = bareImage(tree, path, split);
    return { ...bare, width, height, wnid, groupKey: wnid, className, hasMasks: false };
  }
  const parts = [...masksOfMap(pixels, width, height, BACKGROUND)].flatMap(([value, mask]) => {
    const part = partOf.get(value);
    if (part) return [{ ...imported, id: part.id, mask, className: part.classes[0] as string }];
    if (value !== IGNORE) notes.add(`pixels of id ${value}, which is no part, were left out`, mapOf(path));
    return [];
  });
  const whole = paths.has(mapOf(path, '_whole'))
    ? await decodePng(await tree.bytes(mapOf(path, '_whole')))
    : null;
  const isObject = whole?.pixels.some((value) => value !== WHOLE_BACKGROUND && value !== IGNORE);
  const outline =
    whole && isObject && whole.width === width && whole.height === height
      ? fromBitmap(
          Uint8Array.from(whole.pixels, (value) => (value === WHOLE_BACKGROUND || value === IGNORE ? 0 : 1)),
          height,
          width,
        )
      : null;
  const names = [...new Set([...(className ? [className] : []), ...parts.map((part) => part.className)])];
  return {
    ...bareImage(tree, path, split),
    width,
    height,
    wnid,
    groupKey: wnid,
    className: className ?? names[0] ?? null,
    objects: names.map((name, index) => ({
      className: name,
      instance: index + 1,
      outline: outline && index === 0 ? { ...imported, mask: outline } : null,
      parts: parts
        .filter((part) => part.className === name)
        .map(({ id, mask }) => ({ ...imported, id, mask })),
      absent: [],
    })),
  };
}
