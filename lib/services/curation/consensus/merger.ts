import { eq } from 'drizzle-orm';
import { type Db, tables } from '@/db';
import type { StageKind } from '@/db/schema';
import { invalid, notFound } from '@/lib/core/errors';
import { aggregators } from '@/lib/core/quality/aggregate';
import { maskAggregators } from '@/lib/core/quality/aggregate/masks';
import type { DatasetSchema } from '@/lib/core/schema';
import { drawsMasks } from '@/lib/services/crowd/work/pay-for';
import { mergeMasks } from './merge-masks';
import { mergeVotes } from './merge-votes';
import type { Merged } from './merged';
import { readAnchor } from './read-anchor';
import type { AnsweredItem } from './read-items';

/** Merges the answers of any of the stage's items; what cannot be merged is left out. */
export type Merger = (items: readonly AnsweredItem[]) => Map<string, Merged>;

export interface MergeInput {
  projectId: string;
  stageId: string;
  stageKind: StageKind;
  method: string;
  seed: string;
}

/** A method made ready for a stage. */
export async function mergerFor(db: Db, input: MergeInput): Promise<Merger> {
  const { stageKind, method } = input;
  if (drawsMasks(stageKind)) {
    const aggregator = maskAggregators.find(({ id }) => id === method);
    if (!aggregator) throw invalid(`There is no way "${method}" to merge masks.`);
    return (items) => new Map(items.map((item) => [item.id, mergeMasks(item, aggregator)]));
  }
  const aggregator = aggregators.find(({ id }) => id === method);
  if (!aggregator) throw invalid(`There is no way "${method}" to merge answers.`);
  const schemas = await schemasOf(db, input.projectId);
  const anchor = await readAnchor(db, { ...input, schemas });
  const schemaOf = ({ schemaVersionId }: AnsweredItem) => {
    const schema = schemas.get(schemaVersionId);
    if (!schema) throw notFound('schema version');
    return schema;
  };
  return (items) => mergeVotes({ items, schemaOf, aggregator, anchor });
}

async function schemasOf(db: Db, projectId: string): Promise<Map<string, DatasetSchema>> {
  const { schemaVersions } = tables;
  const rows = await db
    .select({ id: schemaVersions.id, document: schemaVersions.document })
    .from(schemaVersions)
    .where(eq(schemaVersions.projectId, projectId));
  return new Map(rows.map(({ id, document }) => [id, document]));
}
