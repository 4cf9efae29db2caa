import { z } from 'zod';
import { SPEC_SCHEMA } from './job-spec';

/** Written by the platform, read by the trainer; `docs/training-contract.md` says what each file holds. */
export const SNAPSHOT_SCHEMA = 'tessera-snapshot/1';
/** Value of a mask where nobody labelled, and of `splits.u8` where an image is in no split. */
export const UNLABELLED = 255;
export const splitCodes = { train: 0, val: 1, test: 2 } as const;
export const snapshotFiles = [
  'images.u8',
  'masks.u8',
  'labels.u16',
  'weights.f32',
  'splits.u8',
  'ids.json',
] as const;

const hex = z.string().regex(/^[0-9a-f]{64}$/);

export const snapshotManifest = z.looseObject({
  schema: z.literal(SNAPSHOT_SCHEMA),
  count: z.int().min(0),
  height: z.int().min(1),
  width: z.int().min(1),
  classes: z.array(z.string()),
  parts: z.array(z.object({ name: z.string(), class: z.int().min(0) })).max(254),
  /** How a picture became height × width; goes into the model's contract as it is. */
  view: z.unknown(),
  files: z.record(z.enum(snapshotFiles), z.object({ bytes: z.int().min(0), sha256: hex })),
});
export type SnapshotManifest = z.infer<typeof snapshotManifest>;

/** What the platform does after an exit; `result.json` beats the code, since some launchers lose it. */
export const exitCodes = {
  0: { state: 'succeeded', retry: 'never' },
  64: { state: 'failed', retry: 'never', message: 'The spec is not valid.' },
  65: { state: 'failed', retry: 'never', message: 'The data cannot train this model.' },
  69: { state: 'queued', retry: 'elsewhere', message: 'This worker has no GPU that can be used.' },
  70: { state: 'failed', retry: 'never', message: 'The training failed.' },
  71: { state: 'queued', retry: 'resume', message: 'One of its processes was lost.' },
  73: { state: 'failed', retry: 'never', message: 'The disk is full.' },
  75: { state: 'queued', retry: 'resume', message: 'It was interrupted, with a checkpoint.' },
  76: { state: 'queued', retry: 'never', message: 'A later attempt holds the directory.' },
  130: { state: 'canceled', retry: 'on request', message: 'It was cancelled, with a checkpoint.' },
} as const;

const accuracy = z.looseObject({
  n: z.int(),
  correct: z.int(),
  accuracy: z.number().nullable(),
  low: z.number(),
  high: z.number(),
});

const artifact = z.object({ type: z.string(), path: z.string(), bytes: z.int(), sha256: hex });

/** Fits a whole number of the database. */
const whole = z.int().min(0).max(2_000_000_000);

const base = { seq: z.int().min(1), t: z.number(), attempt: z.int().min(1) };

/** One line of `events.jsonl`. After a crash steps are told again: the later attempt wins. */
export const trainerEvent = z.discriminatedUnion('kind', [
  z.looseObject({
    ...base,
    kind: z.literal('start'),
    torch: z.string(),
    device: z.string(),
    world: z.int(),
    resumeStep: whole,
    parameters: z.int(),
    /** Steps of an epoch. */
    steps: z.int(),
  }),
  z.looseObject({
    ...base,
    kind: z.literal('metrics'),
    split: z.enum(['step', 'train', 'val', 'test']),
    stage: whole.optional(),
    epoch: whole.optional(),
    step: whole.optional(),
    imagesPerSecond: z.number().min(0).max(1e9).nullable().optional(),
    loss: z.number().nullable().optional(),
    clean: accuracy.optional(),
    adv: accuracy.optional(),
  }),
  z.looseObject({ ...base, kind: z.literal('checkpoint'), step: whole }),
  z.looseObject({ ...base, kind: z.literal('preview'), stage: whole, epoch: whole, path: z.string() }),
  z.object({ ...base, kind: z.literal('artifact'), ...artifact.shape }),
  z.looseObject({ ...base, kind: z.literal('warning'), code: z.string(), message: z.string() }),
  z.object({ ...base, kind: z.literal('note'), message: z.string() }),
  z.looseObject({ ...base, kind: z.literal('end'), state: z.string(), code: z.int() }),
]);
export type TrainerEvent = z.infer<typeof trainerEvent>;

export const heartbeat = z.object({
  t: z.number(),
  pid: z.int(),
  host: z.string(),
  attempt: z.int(),
  step: z.int(),
  phase: z.string(),
});

/** The verdict: there once a run has ended by itself, and never half. */
export const trainerResult = z.object({
  schema: z.literal(SPEC_SCHEMA),
  state: z.enum(['succeeded', 'failed', 'canceled', 'preempted']),
  exitCode: z.int(),
  attempt: z.int(),
  error: z.looseObject({ type: z.string(), message: z.string() }).nullable(),
  metrics: z
    .object({
      selected: z.looseObject({ stage: z.int(), epoch: z.int(), step: z.int(), clean: accuracy }),
      tests: z.array(accuracy.extend({ attack: z.string() })),
    })
    .nullable(),
  check: z.looseObject({ gradientGraphAgainstAutograd: z.number() }).nullable(),
  artifacts: z.array(artifact),
  finishedAt: z.number(),
});
export type TrainerResult = z.infer<typeof trainerResult>;
