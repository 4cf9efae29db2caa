/** One thing a path may not be, or must be, when other paths have certain values. `*` is any place of an array. */
export interface Rule {
  when: Record<string, readonly (string | number | boolean | null)[]>;
  path: string;
  /** The values allowed then; or, with `not`, the values forbidden. */
  is?: readonly (string | number | boolean | null)[];
  not?: readonly (string | number | boolean | null)[];
  message: string;
}

/**
 * What depends on two fields, as data: the same list is applied here and, from the schema file, by the Python trainer,
 * so that both give the same verdict.
 */
export const rules: readonly Rule[] = [
  {
    when: { 'model.arch': ['baseline'] },
    path: 'train.cSeg',
    is: [0],
    message: 'The baseline has no masks: c_seg is 0.',
  },
  {
    when: { 'model.arch': ['baseline'] },
    path: 'validate.previews',
    is: [0],
    message: 'The baseline predicts no masks to preview: previews is 0.',
  },
  {
    when: { 'model.arch': ['baseline'] },
    path: 'test.*.attack',
    not: ['two-stage'],
    message: 'A two-stage attack goes through the masks, and the baseline has none.',
  },
  {
    when: { 'model.arch': ['two-headed-encoder', 'two-headed-decoder'] },
    path: 'test.*.strategy',
    not: ['confident-sorted'],
    message: 'The two-headed models do not classify masks, so masks cannot be sorted by confidence.',
  },
  {
    when: { 'data.labels': ['centroid'] },
    path: 'model.arch',
    is: ['bounding-box'],
    message: 'Centroid labels train the bounding-box model.',
  },
  {
    when: { 'data.labels': ['centroid', 'box'] },
    path: 'model.level',
    is: ['part'],
    message: 'Boxes and centroids are of parts: the level is part.',
  },
  {
    when: {
      'model.arch': ['baseline', 'bounding-box', 'two-headed-encoder', 'two-headed-decoder', 'pixel'],
    },
    path: 'model.background',
    is: [true],
    message: 'Only the downsampled model can drop the background channel.',
  },
  {
    when: {
      'model.arch': ['baseline', 'bounding-box', 'two-headed-encoder', 'two-headed-decoder', 'pixel'],
    },
    path: 'model.withImage',
    is: [false],
    message: 'Only the downsampled model can see the picture beside its masks.',
  },
  {
    when: { 'validate.select': ['adv'] },
    path: 'validate.attack',
    not: [null],
    message: 'Selecting by adversarial accuracy needs an attack at validation.',
  },
  {
    when: { 'resources.device': ['cuda'] },
    path: 'resources.gpus',
    not: [0],
    message: 'A run on cuda needs at least one GPU.',
  },
  {
    when: { 'resources.device': ['cpu'] },
    path: 'resources.gpus',
    is: [0],
    message: 'A run on the processor takes no GPU.',
  },
  {
    when: { 'resources.device': ['cpu'] },
    path: 'train.precision',
    is: ['fp32'],
    message: 'Mixed precision is for GPUs.',
  },
];

type Path = (string | number)[];

/** Every value a pattern meets, with its place; a missing field is met by nothing. */
function meet(value: unknown, pattern: readonly string[], at: Path = []): { value: unknown; path: Path }[] {
  const [step, ...rest] = pattern;
  if (step === undefined) return [{ value, path: at }];
  if (step === '*')
    return Array.isArray(value) ? value.flatMap((entry, i) => meet(entry, rest, [...at, i])) : [];
  if (typeof value !== 'object' || value === null || !(step in value)) return [];
  return meet((value as Record<string, unknown>)[step], rest, [...at, step]);
}

const has = (list: readonly unknown[], value: unknown) => list.includes(value);

export function brokenRules(spec: unknown): { path: Path; message: string }[] {
  return rules.flatMap(({ when, path, is, not, message }) => {
    const applies = Object.entries(when).every(([pattern, values]) =>
      meet(spec, pattern.split('.')).some(({ value }) => has(values, value)),
    );
    if (!applies) return [];
    return meet(spec, path.split('.'))
      .filter(({ value }) => (is ? !has(is, value) : has(not ?? [], value)))
      .map((found) => ({ path: found.path, message }));
  });
}
