import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { area, difference, type Mask, merge, rasterizeShapes, removeSpecks } from '@/lib/core/mask';
import { type AttributeChoices, choicesFrom, NONE } from '@/lib/core/schema';
import { rival10 } from '@/lib/core/schema/presets';
import { generateScene } from '@/lib/demo/scenes';

/** An image with the parts that somebody is asked to draw. */
export interface PartsImage {
  name: string;
  width: number;
  height: number;
  parts: readonly { name: string; truth: Mask }[];
}

/** Parts below this many pixels are left out: nobody could draw them to an IoU of 0.9. */
const SMALLEST = 80;

const classes = [
  'Quadruped',
  'Biped',
  'Fish',
  'Bird',
  'Snake',
  'Reptile',
  'Car',
  'Bicycle',
  'Boat',
  'Aeroplane',
  'Bottle',
];

/** Generated pictures of the Part-ImageNet preset, one class after the other. */
export function generatedImages(count: number): PartsImage[] {
  return Array.from({ length: count }, (_, i) => {
    const className = classes[i % classes.length] as string;
    const scene = generateScene({
      seed: 7000 + i,
      preset: 'part-imagenet',
      className,
      width: 448,
      height: 336,
    });
    return imageOf(`${className} ${i}`, scene.width, scene.height, Object.entries(scene.partMasks));
  }).filter(({ parts }) => parts.length > 1);
}

interface Coco {
  images: { id: number; file_name: string; width: number; height: number }[];
  annotations: { image_id: number; category_id: number; segmentation: number[][] }[];
  categories: { id: number; name: string }[];
}

/** A folder with images and COCO polygons in `annotations.json`. Pieces of one category are one part. */
export async function photographedImages(folder: string): Promise<PartsImage[]> {
  const coco: Coco = JSON.parse(await readFile(path.join(folder, 'annotations.json'), 'utf8'));
  return coco.images
    .toSorted((a, b) => a.file_name.localeCompare(b.file_name))
    .map(({ id, file_name: name, width, height }) => {
      const own = coco.annotations.filter((annotation) => annotation.image_id === id);
      const masks = coco.categories.flatMap((category): [string, Mask][] => {
        const rings = own.filter(({ category_id: of }) => of === category.id).flatMap((a) => a.segmentation);
        if (rings.length === 0) return [];
        const pieces = rings.map((outer) =>
          rasterizeShapes([{ kind: 'polygon', op: 'add', outer, holes: [] }], height, width),
        );
        return [[category.name, merge(pieces)]];
      });
      return imageOf(name, width, height, masks);
    })
    .filter(({ parts }) => parts.length > 1);
}

/** Parts do not overlap: a pixel of several parts belongs to the smallest of them. */
function imageOf(name: string, width: number, height: number, masks: readonly [string, Mask][]): PartsImage {
  const smallestFirst = masks.toSorted(([, a], [, b]) => area(a) - area(b)).map(([, mask]) => mask);
  const parts = masks
    .map(([part, mask]) => {
      const smaller = smallestFirst.slice(0, smallestFirst.indexOf(mask));
      const own = smaller.length > 0 ? difference(mask, merge(smaller)) : mask;
      return { name: part, truth: removeSpecks(own, 20, 8) };
    })
    .filter(({ truth }) => area(truth) >= SMALLEST);
  return { name, width, height, parts };
}

/** Digits for the first group, which is current when the form opens; letters; Enter, or Shift+Enter for "none". */
export function keystrokes(choices: AttributeChoices): number {
  return (
    Object.values(choices)
      .flat()
      .filter((option) => option !== NONE).length + 1
  );
}

/** Before: every choice, "none" included, Enter between groups, and Ctrl+Enter. */
export function keystrokesBefore(choices: AttributeChoices): number {
  const chosen = rival10.attributeGroups.map(({ id }) => choices[id] ?? []);
  return chosen.flat().length + (chosen.length - 1) + 1;
}

/** The right answers for generated scenes of the RIVAL10 preset, with all that is true of them. */
export function trueForms(count: number): AttributeChoices[] {
  return Array.from({ length: count }, (_, index) =>
    generateScene({ preset: 'rival10', seed: index, width: 128, height: 128 }),
  ).map(({ attributes, colours }) => {
    const positives = Object.entries(attributes).flatMap(([id, isTrue]) => (isTrue ? [id] : []));
    return choicesFrom(rival10, [...positives, ...colours]);
  });
}

export const median = (list: readonly number[]): number =>
  list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)] ?? 0;
