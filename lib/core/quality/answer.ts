import { z } from 'zod';
import { MAX_COORDINATE, type Shape } from '@/lib/core/mask';
import { labelFlags, MAX_INSTANCES } from '@/lib/core/schema';

const coordinate = z.number().min(-MAX_COORDINATE).max(MAX_COORDINATE);
const step = {
  op: z.enum(['add', 'erase']),
  /** The first instance is not named. */
  instance: z.number().int().min(2).max(MAX_INSTANCES).optional(),
};
/** x0, y0, x1, y1, … */
const flat = (points: number) =>
  z
    .array(coordinate)
    .min(2 * points)
    .max(200_000)
    .refine((list) => list.length % 2 === 0, 'coordinates come in pairs');

export const ShapeValue: z.ZodType<Shape> = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('polygon'), ...step, outer: flat(3), holes: z.array(flat(3)).max(1000) }),
  z.strictObject({
    kind: z.literal('stroke'),
    ...step,
    points: flat(1),
    radius: z.number().positive().max(MAX_COORDINATE),
  }),
  z.strictObject({
    kind: z.literal('bitmap'),
    ...step,
    size: z.tuple([z.number().int().positive(), z.number().int().positive()]),
    counts: z.string().max(4_000_000),
  }),
]);

/**
 * Without weights: `livewire`, `region`. With a trained model: `point`, `box`, `scribble`, `main-object`. By the project's own
 * promoted model: `model-outline`.
 */
const assistKinds = [
  'livewire',
  'region',
  'point',
  'box',
  'scribble',
  'main-object',
  'model-outline',
] as const;
export type AssistKind = (typeof assistKinds)[number];

/** 24 days: what a clock cannot have meant. */
const milliseconds = z.number().int().min(0).max(2_147_483_647);

/** A suggestion that a person accepted. Many that were accepted at once and never edited are rubber-stamped. */
export const AssistUse = z.strictObject({
  kind: z.enum(assistKinds),
  /** Name and version; null where no trained model was asked. */
  model: z.string().min(1).max(200).nullable(),
  /** What the person gave to get it: clicks, boxes, scribbles. */
  clicks: z.number().int().min(1).max(100_000),
  /** From the question to the suggestion on the screen. */
  shownMs: milliseconds,
  /** From the suggestion on the screen to its acceptance; of a livewire, from the first click to the last. */
  latencyMs: milliseconds,
  /** Whether the person changed it afterwards. */
  edited: z.boolean(),
});
export type AssistUse = z.infer<typeof AssistUse>;

/** What a worker can say about an item. "nothing" says that there is nothing to label. */
export const AnswerValue = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('attributes'),
    choices: z.record(z.string(), z.array(z.string()).max(100)),
  }),
  z.strictObject({
    kind: z.literal('mask'),
    shapes: z.array(ShapeValue).min(1).max(5000),
    /** The suggestions that are in the drawing, oldest first. */
    assists: z.array(AssistUse).min(1).max(5000).optional(),
    /** The masks of the instances if there are at least two. Always recomputed by the server from the shapes. */
    instances: z.array(z.string()).min(2).max(MAX_INSTANCES).optional(),
    flags: z.array(z.enum(labelFlags)).min(1).max(labelFlags.length).optional(),
  }),
  z.strictObject({ kind: z.literal('nothing') }),
  z.strictObject({ kind: z.literal('class'), className: z.string().max(80) }),
]);

export type AnswerValue = z.infer<typeof AnswerValue>;

/** The kinds of question; the same words as in the table of stages. */
export type StageKind = 'attributes' | 'object-mask' | 'part-mask' | 'oracle';

/** Chosen instead of a class by who does not know it; no schema can have such an id. */
export const CANNOT_TELL = '?';
