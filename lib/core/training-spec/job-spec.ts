import { z } from 'zod';
import { brokenRules, rules } from './rules';

/** Named in the spec, in every event file and in the result: a trainer refuses what it does not know. */
export const SPEC_SCHEMA = 'tessera-train/1';

const sha256 = /^sha256:[0-9a-f]{64}$/;
const positive = z.number().positive();
const share = z.number().min(0).max(1);
const whole = (min: number, max: number) => z.int().min(min).max(max);

/** Radii and steps are in units of the picture's range [0, 1]: 8/255 is 0.03137. */
const ball = { eps: share, steps: whole(1, 10_000), step: share };
/** How many images an attack is shown: a seeded sample, or null for all. */
const sample = whole(1, 1_000_000).nullable();

export const archs = [
  'baseline',
  'downsampled',
  'bounding-box',
  'two-headed-encoder',
  'two-headed-decoder',
  'pixel',
] as const;
export const backbones = ['tiny', 'small', 'resnet18', 'resnet50'] as const;

const data = z.strictObject({
  /** Hash of the snapshot's manifest, which holds classes, parts, split and the hash of every file. */
  snapshot: z.string().regex(sha256),
  /** Side of the square the network sees; the segmenter needs a multiple of its output stride. */
  size: whole(32, 1024).multipleOf(16),
  /** `whole`: the stored picture, resized if it is larger; `center`: its middle (256 → 224 as published). */
  view: z.enum(['whole', 'center']),
  labels: z.enum(['mask', 'box', 'centroid']),
  /** Share of the training images per class that keep their part labels; nested over fractions. */
  labelledFraction: share,
  classWeights: z.enum(['none', 'balanced']),
  /** Weigh each image by the confidence of its label, as stored in the snapshot. */
  labelWeights: z.boolean(),
  augment: z.strictObject({
    /** Share of the picture's area a crop may cover; [1, 1] is no crop. */
    area: z.tuple([share, share]),
    /** Width ÷ height of a crop. */
    ratio: z.tuple([positive, positive]),
    /** Chance of a mirror image. */
    flip: share,
  }),
});

const model = z.strictObject({
  arch: z.enum(archs),
  backbone: z.enum(backbones),
  level: z.enum(['part', 'object']),
  /** Does the second stage see the background channel? */
  background: z.boolean(),
  /** Side of the grid the downsampled model pools the masks to. */
  pool: whole(1, 32),
  /** The second stage also sees the picture (appendix E.11). */
  withImage: z.boolean(),
  segmenter: z.strictObject({
    channels: whole(8, 1024),
    rates: z.tuple([whole(1, 64), whole(1, 64), whole(1, 64)]),
    dropout: z.number().min(0).lt(1),
  }),
  init: z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('random') }),
    z.strictObject({
      kind: z.literal('file'),
      path: z.string().min(1).max(4096),
      sha256: z.string().regex(sha256),
    }),
  ]),
});

const stageBase = {
  name: z.string().regex(/^[a-z][a-z0-9-]{0,31}$/),
  epochs: whole(1, 10_000),
  /** What a later stage starts from: the weights as they are, or the best of the stage before. */
  from: z.enum(['last', 'best']),
  lr: positive.max(100),
};

const stage = z.discriminatedUnion('method', [
  z.strictObject({ ...stageBase, method: z.literal('clean') }),
  z.strictObject({ ...stageBase, method: z.literal('pgd'), attack: z.strictObject(ball) }),
  z.strictObject({
    ...stageBase,
    method: z.literal('trades'),
    attack: z.strictObject(ball),
    beta: z.number().min(0).max(1000),
  }),
]);

const train = z.strictObject({
  /** Images per step over all ranks. */
  batchSize: whole(1, 65_536),
  /** Pieces a step is computed in: less memory, the same step (but for the statistics of batch norm). */
  accumulate: whole(1, 1024),
  momentum: z.number().min(0).lt(1),
  weightDecay: z.number().min(0).max(1),
  /** `published`: none on parameters whose name holds bias, bn or ln. */
  decay: z.enum(['published', 'all']),
  schedule: z.enum(['cosine-epoch', 'cosine-step', 'constant']),
  /** Weight of the mask loss; the class loss has the rest. */
  cSeg: share,
  precision: z.enum(['fp32', 'amp']),
  syncBn: z.boolean(),
  seed: whole(0, 2_147_483_647),
  /** A metrics event every so many steps. */
  logEvery: whole(1, 100_000),
  /** A checkpoint at the first step after so many seconds; 0 is after every step. */
  checkpointSeconds: z.number().min(0).max(86_400),
});

const validate = z.strictObject({
  /** In epochs; the last epoch of a stage is always validated. */
  every: whole(1, 10_000),
  attack: z.strictObject(ball).nullable(),
  select: z.enum(['adv', 'clean', 'last']),
  /** End a stage after so many validations without a better one. */
  patience: whole(1, 1000).nullable(),
  /** A seeded sample of the validation images for the attack; clean accuracy always sees all of them. */
  sample,
  /** Validation images whose predicted masks are kept at each validation. */
  previews: whole(0, 64),
});

const iterated = { eps: share, iterations: whole(1, 10_000), sample };

const testAttack = z.discriminatedUnion('attack', [
  z.strictObject({ attack: z.literal('none'), sample }),
  z.strictObject({ attack: z.literal('pgd'), ...ball, restarts: whole(1, 100), sample }),
  z.strictObject({ attack: z.literal('apgd-ce'), ...iterated }),
  z.strictObject({ attack: z.literal('apgd-t'), ...iterated, targets: whole(1, 1000) }),
  z.strictObject({ attack: z.literal('fab'), ...iterated, targets: whole(1, 1000) }),
  z.strictObject({ attack: z.literal('square'), eps: share, queries: whole(1, 100_000), sample }),
  /** The four above as one chain; 100 iterations, 9 targets and 5,000 queries are the standard. */
  z.strictObject({
    attack: z.literal('autoattack'),
    ...iterated,
    targets: whole(1, 1000),
    queries: whole(1, 100_000),
  }),
  z.strictObject({
    attack: z.literal('sweep'),
    eps: z.array(share).min(1).max(32),
    steps: ball.steps,
    restarts: whole(1, 100),
    sample,
  }),
  z.strictObject({
    attack: z.literal('two-stage'),
    ...ball,
    strategy: z.enum(['untargeted', 'random', 'confident-random', 'confident-sorted']),
    restarts: whole(1, 100),
    sample,
  }),
]);

const resources = z.strictObject({
  device: z.enum(['auto', 'cpu', 'cuda']),
  gpus: whole(0, 64),
  nodes: whole(1, 1024),
  /** Processor threads of one rank; null shares the machine's among its ranks. */
  threads: whole(1, 1024).nullable(),
  /** The trainer stops with a message instead of taking more. */
  memoryGb: positive.nullable(),
  wallMinutes: positive.nullable(),
});

/** Everything by its type and range; what depends on two fields is in `rules.ts`. */
export const jobShape = z.strictObject({
  schema: z.literal(SPEC_SCHEMA),
  id: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/),
  /** The preset this began as, for people; the trainer does not read it. */
  preset: z.string().max(100).nullable(),
  attemptLimit: whole(1, 100),
  data,
  model,
  stages: z.array(stage).min(1).max(8),
  train,
  validate,
  test: z.array(testAttack).max(32),
  resources,
});

/** What the trainer reads as `job.json`. There are no defaults: a spec says all there is to say. */
export const jobSpec = jobShape.superRefine((spec, context) => {
  for (const { path, message } of brokenRules(spec)) context.addIssue({ code: 'custom', path, message });
});

export type JobSpec = z.infer<typeof jobShape>;
export type Arch = (typeof archs)[number];
export type Backbone = (typeof backbones)[number];
export type Stage = z.infer<typeof stage>;
export type TestAttack = z.infer<typeof testAttack>;

/** Where the trainer finds it, from the folder of the checkout. */
export const schemaFile = 'workers/trainer/tessera_trainer/job.schema.json';

/** The text of the JSON Schema the Python trainer checks `job.json` by; `x-rules` is the list of `rules.ts`. */
export function schemaFileText(): string {
  return `${JSON.stringify({ ...z.toJSONSchema(jobShape), 'x-rules': rules }, null, 1)}\n`;
}
