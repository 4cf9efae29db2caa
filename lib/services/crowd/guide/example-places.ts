import { desc, eq, sql } from 'drizzle-orm';
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
