import { parseSplit } from '../shared/read-tree';

/** Lower-case words of a name: "LeftDoor_2" → left, door, 2. */
export const wordsOf = (name: string): string[] =>
  name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replace(/([A-Za-z])(\d)/g, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');

const singular = (word: string): string =>
  word.length > 3 && word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word;

/** Names that differ in case, separators, plural and order of words are the same: "Left_Doors" and "door left". */
export const normalizeName = (name: string): string => wordsOf(name).map(singular).sort().join(' ');

const SIDES = new Set(['left', 'right', 'l', 'r', 'front', 'back', 'rear', 'upper', 'lower', 'near', 'far']);

/** The name without sides and numbers: "left_mirror" and "mirror_2" are mirrors. Null if nothing is removed or left. */
export function withoutSide(name: string): string | null {
  const words = wordsOf(name);
  const rest = words.filter((word) => !SIDES.has(word) && !/^\d+$/.test(word));
  return rest.length === 0 || rest.length === words.length ? null : rest.map(singular).sort().join(' ');
}

/** Splits a trailing number off: "wheel_2" → wheel, 2. */
export function splitNumber(name: string): { base: string; number: number } | null {
  const found = /^(.*?[A-Za-z\p{L}])[ _-]?(\d{1,3})$/u.exec(name);
  const number = Number(found?.[2]);
  return found?.[1] && number >= 1 ? { base: found[1], number } : null;
}

const GENERIC = /^(class|part|label|category|object|cls|id|type|segment|region|item|thing)$/i;
export const isGenericName = (name: string): boolean => GENERIC.test(name.trim());

/** Words of file, folder and project names that say nothing about the objects. */
const FILLERS = new Set(
  'part parts seg segmentation segment segments segmented dataset datasets data set coco yolo voc cvat images image img photos photo pictures annotations annotation annotated labels label labelled instances instance export exported import imported train training val valid validation test testing default json xml zip v new final project result results master main the of and with for a my'.split(
    ' ',
  ),
);

/** Finds the object in names such as "car-parts.zip" or "instances_train.json": "car", or null. */
export function objectFromNames(names: readonly string[]): string | null {
  for (const name of names) {
    const words = wordsOf(name.replace(/\.[a-z0-9]{2,5}$/i, '')).filter(
      (word) => !FILLERS.has(word) && !/^\d+$/.test(word) && word.length > 1,
    );
    if (words.length > 0 && words.length <= 3) return words.map(singular).join(' ');
  }
  return null;
}

/** Whether a name says that the dataset is about parts: "car-parts". */
export const mentionsParts = (names: readonly string[]): boolean =>
  names.some((name) => wordsOf(name).some((word) => word === 'parts' || word === 'part'));

/** The split that a folder of the path names, the innermost first: "data/trainingset/a.jpg" → train. */
export function splitOfFolders(path: string): string | null {
  for (const folder of path.split('/').slice(0, -1).reverse()) {
    const split = parseSplit(folder);
    if (split !== null) return split;
  }
  return null;
}
