import { z } from 'zod';
import type { Shape } from '@/lib/mask';
import { MAX_COORDINATE } from '@/lib/mask';

const coordinate = z.number().min(-MAX_COORDINATE).max(MAX_COORDINATE);
const op = z.enum(['add', 'erase']);
/** x0, y0, x1, y1, … */
const flat = (points: number) =>
  z
    .array(coordinate)
    .min(2 * points)
    .max(200_000)
    .refine((list) => list.length % 2 === 0, 'coordinates come in pairs');

export const ShapeValue: z.ZodType<Shape> = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('polygon'), op, outer: flat(3), holes: z.array(flat(3)).max(1000) }),
  z.strictObject({
    kind: z.literal('stroke'),
    op,
    points: flat(1),
    radius: z.number().positive().max(MAX_COORDINATE),
  }),
  z.strictObject({
    kind: z.literal('bitmap'),
    op,
    size: z.tuple([z.number().int().positive(), z.number().int().positive()]),
    counts: z.string().max(4_000_000),
  }),
]);

/** What a worker can say about an item. "nothing" says that there is nothing to label. */
export const AnswerValue = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('attributes'),
    choices: z.record(z.string(), z.array(z.string()).max(100)),
  }),
  z.strictObject({ kind: z.literal('mask'), shapes: z.array(ShapeValue).min(1).max(5000) }),
  z.strictObject({ kind: z.literal('nothing') }),
  z.strictObject({ kind: z.literal('class'), className: z.string().max(80) }),
]);

export type AnswerValue = z.infer<typeof AnswerValue>;
