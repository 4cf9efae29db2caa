import { isEmpty } from '@/lib/core/mask';
import type { DatasetSchema } from '@/lib/core/schema/types';
import type { Dataset, DatasetImage, MaskLabel, ObjectLabel } from '../dataset';
import { objectPart } from '../derive';
import type { Check, Format, LabelFeature, Options } from '../format';
import { Problems } from './check';

/**
 * Completes a format plugin: its writer receives no labels that it does not hold, and its check lists them. An export
 * without any label is refused. With labels=objects, general formats receive plain classes instead of merged parts.
 */
export function guardFormat(format: Format): Format {
  const holds = new Set(format.holds ?? []);
  const received = (dataset: Dataset, options: Options) =>
    withoutUnheld(
      format.kind === 'general' && options.labels === 'objects' ? plainObjects(dataset) : dataset,
      holds,
    );
  return {
    ...format,
    async check(dataset, options) {
      const tally = new Tally(dataset.schema);
      const check = await format.check(received(observed(dataset, tally), options), options);
      return {
        refusals: [...check.refusals, ...emptyExport(dataset, tally, format)],
        losses: [...tally.losses(holds), ...check.losses],
      } satisfies Check;
    },
    write: (dataset, options, pictures) => format.write(received(dataset, options), options, pictures),
  };
}

const observed = (dataset: Dataset, tally: Tally): Dataset => ({
  ...dataset,
  async *images() {
    tally.reset();
    for await (const image of dataset.images()) {
      tally.add(image);
      yield image;
    }
  },
});

function emptyExport({ name, count }: Dataset, tally: Tally, { holdsClasses }: Format) {
  const problems = new Problems();
  if (count === 0) return [];
  if (!tally.hasMask && !tally.hasClass)
    problems.add(
      'The version has no labels: no class, no attribute and no mask. Label some, and freeze again.',
      name,
    );
  else if (!tally.hasMask && holdsClasses === false)
    problems.add(
      'The version has no masks, and this format holds nothing else. Draw some and freeze again, or choose a format that holds classes.',
      name,
    );
  return problems.list();
}

const isCrowd = ({ outline }: ObjectLabel): boolean => outline?.flags?.includes('crowd') ?? false;

/** Calls `visit` for every label of an object. */
const labelsOf = ({ outline, parts }: ObjectLabel): readonly Omit<MaskLabel, 'id'>[] =>
  outline ? [outline, ...parts] : parts;

/** Counts the labels that need a feature that not every format has. */
class Tally {
  readonly #counts = new Map<LabelFeature, number>();
  readonly #stuff: ReadonlySet<string>;
  hasMask = false;
  hasClass = false;

  constructor(schema: DatasetSchema) {
    this.#stuff = stuffClasses(schema);
  }

  /** A check can read the dataset several times; the last pass counts. */
  reset(): void {
    this.#counts.clear();
  }

  add(image: DatasetImage): void {
    if (image.className !== null || image.attributes !== null) this.hasClass = true;
    // Masks that an option removed are not a reason to refuse: the check reports that option.
    const masks = [...image.objects, ...(image.original?.objects ?? [])].flatMap(labelsOf);
    if ([...masks, ...image.attributeMasks].some(({ mask }) => !isEmpty(mask))) this.hasMask = true;
    if (image.objects.some(({ absent }) => absent.length > 0)) this.hasMask = true;
    if (!image.hasMasks) return;
    for (const object of image.objects) this.#addObject(object);
    for (const label of image.attributeMasks) this.#addLabel(label);
  }

  #addObject(object: ObjectLabel): void {
    if (isCrowd(object)) this.#count(object.className === null ? 'ignore' : 'crowd');
    else if (object.className !== null && this.#stuff.has(object.className)) this.#count('stuff');
    for (const label of labelsOf(object)) this.#addLabel(label);
  }

  #addLabel({ instances, flags }: Omit<MaskLabel, 'id'>): void {
    if (instances) this.#count('instances');
    if (flags?.includes('occluded')) this.#count('occluded');
    if (flags?.includes('truncated')) this.#count('truncated');
  }

  #count(feature: LabelFeature): void {
    this.#counts.set(feature, (this.#counts.get(feature) ?? 0) + 1);
  }

  losses(holds: ReadonlySet<LabelFeature>): string[] {
    return [...this.#counts].flatMap(([feature, count]) =>
      holds.has(feature) ? [] : featureLosses[feature](count),
    );
  }
}

const plural = (count: number, one: string, many: string): string =>
  count === 1 ? `1 ${one}` : `${count} ${many}`;

/** What happens to labels of a feature that a format does not hold. */
export const featureLosses: Readonly<Record<LabelFeature, (count: number) => string[]>> = {
  instances: (count) => [
    `${plural(count, 'label has', 'labels have')} several instances, such as the wheels of a car: only their union is written.`,
  ],
  stuff: (count) => [
    `${plural(count, 'region of a stuff class is', 'regions of stuff classes are')} left out.`,
  ],
  crowd: (count) => [`${plural(count, 'crowd region is', 'crowd regions are')} left out.`],
  ignore: (count) => [`${plural(count, 'region to ignore is', 'regions to ignore are')} left out.`],
  occluded: (count) => [
    `${plural(count, 'flag', 'flags')} "occluded" ${count === 1 ? 'is' : 'are'} left out.`,
  ],
  truncated: (count) => [
    `${plural(count, 'flag', 'flags')} "truncated" ${count === 1 ? 'is' : 'are'} left out.`,
  ],
};

const stuffClasses = ({ classes }: DatasetSchema): ReadonlySet<string> =>
  new Set(classes.flatMap(({ id, kind }) => (kind === 'stuff' ? [id] : [])));

function withoutUnheld(dataset: Dataset, holds: ReadonlySet<LabelFeature>): Dataset {
  const stuff = stuffClasses(dataset.schema);
  const isHeld = (object: ObjectLabel): boolean => {
    if (isCrowd(object)) return holds.has(object.className === null ? 'ignore' : 'crowd');
    return holds.has('stuff') || object.className === null || !stuff.has(object.className);
  };
  return {
    ...dataset,
    async *images() {
      for await (const image of dataset.images()) {
        if (image.objects.every(isHeld)) yield image;
        else yield { ...image, objects: image.objects.filter(isHeld) };
      }
    },
  };
}

/** Turns the merged part of each object into its outline, so that a label is called "person" and not "person:object". */
function plainObjects(dataset: Dataset): Dataset {
  return {
    ...dataset,
    schema: { ...dataset.schema, parts: [] },
    async *images() {
      for await (const image of dataset.images())
        yield {
          ...image,
          objects: image.objects.map(({ parts, ...object }) => {
            const merged = parts.find(
              ({ id }) => object.className !== null && id === objectPart(object.className),
            );
            if (!merged) return { ...object, parts: [] };
            const { id: _, instances: __, ...outline } = merged;
            const flags = object.outline?.flags;
            return { ...object, outline: { ...outline, ...(flags && { flags }) }, parts: [] };
          }),
        };
    },
  };
}
