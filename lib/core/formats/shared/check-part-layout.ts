import type { Mask } from '@/lib/core/mask';
import type { DatasetSchema } from '@/lib/core/schema/types';
import type { Dataset, DatasetImage, ObjectLabel } from '../dataset';
import type { Options } from '../format';
import { Problems } from './check';
import { findNameProblem, NameCheck } from './write-files';

/** Requirements of one layout. */
export interface LayoutRules {
  /** The classes and parts that its readers know, by id. */
  knows: Pick<DatasetSchema, 'classes' | 'parts'>;
  /** "the part-model code", "readers of Cityscapes". */
  readers: string;
  fileName(image: DatasetImage): string;
  /** Checks a name for characters that this layout cannot store, in addition to the file system rules. */
  name?(name: string): string | null;
  /** Splits that the readers open; any split if undefined. */
  splits?: readonly string[];
  /** The readers open all of these splits and fail if one is empty. */
  needsEverySplit?: boolean;
  /** Classes are folders. */
  hasClassFolders?: boolean;
  /** Every image must have a class. */
  needsClass?: boolean;
  /** Every image must have its masks. */
  needsMasks?: boolean;
  /** Instance numbers are written. */
  hasInstances?: boolean;
  /** WordNet ids are used as folder or file names. */
  usesWnid?: boolean;
  image?(image: DatasetImage, problems: Problems): void;
}

export const MAX_INSTANCES = 999;

const WNID = /^n\d{8}$/;

/** Checks a dataset in one pass over its labels. */
export async function checkPartLayout(
  dataset: Dataset,
  rules: LayoutRules,
  { labels }: Options,
): Promise<Problems> {
  const problems = new Problems();
  const names = new NameCheck(problems, rules.name);
  const classes = new Set(rules.knows.classes.map(({ id }) => id));
  const parts = new Map(rules.knows.parts.map(({ id, classes: of }) => [id, of]));
  // The option creates the merged parts, so report the option instead of each part.
  const isMerged = labels === 'objects' || labels === 'foreground';
  const isRefused = isMerged && dataset.schema.parts.some(({ id }) => !parts.has(id));
  if (isRefused)
    problems.add(
      `The option "labels" merges parts, and ${rules.readers} knows a fixed list of parts. Choose labels=parts or labels=boxes.`,
      `labels=${labels}`,
    );
  if (rules.hasClassFolders)
    for (const id of classes) {
      const wrong = findNameProblem(id);
      if (wrong) problems.add(`The id of a class, which becomes a folder, ${wrong}. Rename the class.`, id);
    }
  const seen = new Set<string>();
  for await (const image of dataset.images()) {
    names.check(rules.fileName(image));
    seen.add(image.split);
    if (rules.splits && !rules.splits.includes(image.split))
      problems.add(
        `There is a split that ${rules.readers} does not open: it knows ${rules.splits.join(', ')}. Freeze a version with these, or export one fold (fold=1).`,
        image.split,
      );
    if (rules.needsClass && image.className === null)
      problems.add(
        'An image has no class, which this layout keeps it under. Label it, or leave it out.',
        image.name,
      );
    if (rules.needsMasks && !image.hasMasks)
      problems.add(
        `An image has a class only. ${capitalize(rules.readers)} takes every image with its masks: leave "fraction" at 1.`,
        image.name,
      );
    if (rules.usesWnid && image.wnid !== null && !WNID.test(image.wnid))
      problems.add(
        'A WordNet id is not an n and eight digits, so that no folder or file can be named after it. Correct it.',
        `${image.name}: ${image.wnid.slice(0, 40)}`,
      );
    const used = [image.className, ...image.objects.map(({ className }) => className)];
    for (const id of new Set(used))
      if (id !== null && !classes.has(id))
        problems.add(
          `A class is one that ${rules.readers} does not know. It knows ${formatIds(classes)}.`,
          id,
        );
    if (image.hasMasks)
      for (const object of image.objects)
        checkObject(image, object, isRefused ? null : parts, rules, problems);
    // Masks of another size cannot be combined. They are reported above.
    if (image.objects.every((object) => masksOf(object).every((mask) => hasImageSize(mask, image))))
      rules.image?.(image, problems);
  }
  if (dataset.count === 0)
    problems.add('The version has no images. Freeze one that has, or choose another filter.', dataset.name);
  else if (seen.size === 0)
    problems.add(
      'The version has no images with labels that this layout holds. Label some, and freeze again.',
      dataset.name,
    );
  else if (rules.needsEverySplit)
    for (const split of rules.splits ?? [])
      if (!seen.has(split))
        problems.add(
          `A split has no images; ${rules.readers} opens ${(rules.splits ?? []).join(', ')} each time. Freeze a version that is split so.`,
          split,
        );
  return problems;
}

function checkObject(
  image: DatasetImage,
  object: ObjectLabel,
  /** The classes of each part, or null if an option created the parts. */
  known: ReadonlyMap<string, readonly string[]> | null,
  rules: LayoutRules,
  problems: Problems,
): void {
  const where = `${image.name}: ${object.className ?? 'object'} ${object.instance}`;
  if (rules.hasInstances) {
    const isNumber = Number.isInteger(object.instance) && object.instance >= 1;
    if (!isNumber) problems.add('A part has no instance: its object is not numbered from 1.', where);
    else if (object.instance > MAX_INSTANCES)
      problems.add(
        `An instance number is over ${MAX_INSTANCES}, where it would become another class.`,
        where,
      );
  }
  if (object.className === null && (object.outline || object.parts.length > 0))
    problems.add('An object was drawn and has no class. Give it one, or leave it out.', where);
  for (const { id } of known ? object.parts : []) {
    const classes = known?.get(id);
    if (!classes)
      problems.add(
        `A part is one that ${rules.readers} does not know. Its parts have fixed ids, as in the preset.`,
        `${image.name}: ${id}`,
      );
    else if (object.className !== null && !classes.includes(object.className))
      problems.add('A part is of another class than its object.', `${where}, ${id}`);
  }
  for (const mask of masksOf(object))
    if (!hasImageSize(mask, image))
      problems.add(
        'A mask is not of the size of its image, so that it lies outside of it.',
        `${where}, ${mask.width} × ${mask.height} on ${image.width} × ${image.height}`,
      );
}

const masksOf = ({ outline, parts }: ObjectLabel): Mask[] =>
  [...(outline ? [outline] : []), ...parts].map(({ mask }) => mask);

const hasImageSize = (mask: Mask, image: DatasetImage): boolean =>
  mask.width === image.width && mask.height === image.height;

const capitalize = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

const MAX_LISTED = 30;
function formatIds(ids: ReadonlySet<string>): string {
  const list = [...ids];
  return list.length > MAX_LISTED
    ? `${list.slice(0, MAX_LISTED).join(', ')} and ${list.length - MAX_LISTED} more`
    : list.join(', ');
}

const hasParts = ({ parts, absent }: ObjectLabel): boolean => parts.length > 0 || absent.length > 0;
const isAnnotated = (object: ObjectLabel): boolean => object.outline !== null || hasParts(object);

/** Merging labels drops the absent parts, so the original labels count too. */
const hasObject = (image: DatasetImage, has: (object: ObjectLabel) => boolean): boolean =>
  image.hasMasks && (image.objects.some(has) || (image.original?.objects.some(has) ?? false));

/**
 * Whether parts of the image were drawn, or searched for and not found. For other images, including those with only an
 * outline, only the class is known, so a part map must not show background.
 */
export const isLabelled = (image: DatasetImage): boolean => hasObject(image, hasParts);

/** Whether anything was drawn on the image, or parts were searched for and not found. */
export const isDrawnOn = (image: DatasetImage): boolean =>
  hasObject(image, isAnnotated) || (image.hasMasks && image.attributeMasks.length > 0);

interface DrawnDataset {
  dataset: Dataset;
  /** Describes what the last pass left out. */
  losses(): string[];
}

/**
 * Excludes images without annotations, for layouts that would present them as pure background. Images whose masks an
 * option removed stay, because the check reports that option.
 */
export function excludeUndrawn(
  dataset: Dataset,
  isDrawn: (image: DatasetImage) => boolean = isDrawnOn,
  why = 'where nothing was drawn, readers of this layout would see background',
): DrawnDataset {
  let left = 0;
  return {
    dataset: {
      ...dataset,
      async *images() {
        left = 0;
        for await (const image of dataset.images())
          if (!image.hasMasks || isDrawn(image)) yield image;
          else left += 1;
      },
    },
    losses: () => (left > 0 ? [`${countPhrase(left)} left out: ${why}.`] : []),
  };
}

/** The loss for layouts that have a value for unlabelled pixels. */
export const classOnlyLoss = (count: number): string[] =>
  count > 0
    ? [
        `${countPhrase(count)} written with the class only: no part of ${count === 1 ? 'it' : 'them'} was drawn or looked for.`,
      ]
    : [];

const countPhrase = (count: number): string => (count === 1 ? '1 image is' : `${count} images are`);

/** Losses that several part layouts share. */
export const layoutLosses = {
  provenance: 'Where a label comes from and how sure it is are left out.',
  overlap: 'A pixel has one label: where parts overlap, the one that lies on top keeps it.',
  attributes: 'Attributes of an image and their masks are left out.',
  absent: 'That a part was looked for and not found is left out.',
  columns: 'Group and columns of an image are left out.',
  instances: 'Objects of one class in an image are not told apart.',
  outlines: 'Outlines of objects are left out: only parts are written.',
} as const;
