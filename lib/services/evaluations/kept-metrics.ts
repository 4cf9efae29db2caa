import { z } from 'zod';
import type { EvaluationMetrics } from './run-evaluation';

const text = z.string().catch('');
const count = z.number().catch(0);
const value = z.number().nullable().catch(null);
const estimate = { value, low: value, high: value, n: count, of: count };

/** Those of a list that are what they should be. */
const listOf = <S extends z.ZodType>(item: S) =>
  z
    .array(z.unknown())
    .catch([])
    .transform((list) =>
      list.flatMap((each) => {
        const { success, data } = item.safeParse(each);
        return success ? [data as z.output<S>] : [];
      }),
    );

/** What each kind of plot cannot be drawn without. */
const drawn = z.union([
  z.looseObject({
    kind: z.literal('lines'),
    series: listOf(z.looseObject({ points: z.array(z.looseObject({})) })),
  }),
  z.looseObject({ kind: z.literal('bars'), bars: listOf(z.looseObject({ name: z.string() })) }),
  z.looseObject({
    kind: z.literal('heat'),
    rows: z.array(z.string()),
    columns: z.array(z.string()),
    values: z.array(z.array(z.number().nullable())),
  }),
  z.looseObject({ kind: z.literal('scatter'), points: listOf(z.looseObject({ name: z.string() })) }),
  z.looseObject({
    kind: z.literal('distribution'),
    groups: listOf(z.looseObject({ name: z.string(), values: z.array(z.number()) })),
  }),
]);

const Kept = z.looseObject({
  findings: listOf(
    z.looseObject({
      id: z.string(),
      name: text,
      says: text,
      unit: z.enum(['share', 'points', 'number']).catch('number'),
      ...estimate,
    }),
  ),
  lines: listOf(
    z.looseObject({
      paradigm: z.string(),
      group: text,
      name: text,
      filter: z.looseObject({}).catch({}),
      ...estimate,
    }),
  ),
  plots: listOf(z.intersection(z.looseObject({ id: z.string(), title: text, says: text }), drawn)),
  skipped: listOf(z.looseObject({ variant: text, reason: text, count })),
  notes: listOf(z.string()),
  left: listOf(z.looseObject({ suite: text, why: text })),
  images: count,
  split: z.string().optional().catch(undefined),
  sources: text,
  unknown: count,
  made: count,
  seconds: count,
  offers: z.looseObject({}).catch({}),
});

/** What an evaluation found, as far as it can be read: an older or a damaged row has less to show, and breaks no page. */
export const readMetrics = (kept: unknown): EvaluationMetrics | null =>
  kept === null || kept === undefined
    ? null
    : (Kept.catch(Kept.parse({})).parse(kept) as unknown as EvaluationMetrics);
