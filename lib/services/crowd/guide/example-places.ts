import { desc, eq, sql } from 'drizzle-orm';
import { z } from 'zod';
import { type Db, tables } from '@/db';
import type { StageKind } from '@/db/schema';
import type { DatasetSchema } from '@/lib/core/schema';
import { targetsOf } from './default-text';

const { guides } = tables;

export interface ExamplePlace {
  /** The first stage that asks about it. */
  stageId: string;
  /** Example pictures in all stages. */
  count: number;
}

/** A class may have the id of an attribute. */
export interface ExamplePlaces {
  classes: Record<string, ExamplePlace>;
  /** By attribute or part. */
  targets: Record<string, ExamplePlace>;
}

/** Where the guide explains what the schema names, and how many pictures it shows there. One statement. */
export async function examplePlaces(
  db: Db,
  projectId: string,
  schema: DatasetSchema,
  stages: readonly { id: string; kind: StageKind }[],
): Promise<ExamplePlaces> {
  const rows = await db
    .selectDistinctOn([guides.stageId, guides.target], {
      stageId: guides.stageId,
      target: guides.target,
      count: sql<number>`jsonb_array_length(${guides.examples})`,
    })
    .from(guides)
    .where(eq(guides.projectId, projectId))
    .orderBy(guides.stageId, guides.target, desc(guides.number));
  const counts = new Map(rows.map(({ stageId, target, count }) => [`${stageId} ${target}`, count]));
  const places: ExamplePlaces = { classes: {}, targets: {} };
  for (const { id, kind } of stages) {
    const known = kind === 'oracle' ? places.classes : places.targets;
    for (const { target } of targetsOf(schema, kind)) {
      const { stageId, count } = known[target] ?? { stageId: id, count: 0 };
      known[target] = { stageId, count: count + (counts.get(`${id} ${target}`) ?? 0) };
    }
  }
  return places;
}

/** A picture of the guide with what is said about it. One that shows a mistake says why it is one. */
export const GuideExample = z
  .strictObject({
    /** A picture that was added to the guide. */
    picture: z.string().regex(/^[0-9a-f]{64}$/),
    verdict: z.enum(['good', 'not good']),
    caption: z.string().trim().max(300).default(''),
    /** "The tail is not marked, because it cannot be seen." */
    note: z.string().trim().max(1000).default(''),
  })
  .refine(({ verdict, note }) => verdict === 'good' || note !== '', {
    path: ['note'],
    message: 'Say why it is not good.',
  });

export type GuideExample = z.infer<typeof GuideExample>;

const text = (most: number) => z.string().max(most, `At most ${most} characters.`);

/** What a curator writes about a stage or about one attribute or part. Markdown without HTML. */
export const GuideText = z.strictObject({
  /** Beside the work: a few lines. */
  short: text(2000).default(''),
  full: text(20_000).default(''),
  examples: z.array(GuideExample).max(50).default([]),
});

export type GuideText = z.infer<typeof GuideText>;
