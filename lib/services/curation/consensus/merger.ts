import { eq } from 'drizzle-orm';
import { type Db, tables } from '@/db';
import type { StageKind } from '@/db/schema';
import { invalid, notFound } from '@/lib/core/errors';
import { area, decodeCounts, encodeCounts, iou, isEmpty, type Mask } from '@/lib/core/mask';
import { aggregators } from '@/lib/core/quality/aggregate';
import { type MaskAggregator, maskAggregators } from '@/lib/core/quality/aggregate/masks';
import type { AnswerValue } from '@/lib/core/quality/answer';
import type { DatasetSchema } from '@/lib/core/schema';
import { drawsMasks } from '@/lib/services/crowd/work/pay-for';
import { mergeVotes, readAnchor } from './merge-votes';
import type { AnsweredItem } from './read-items';

/** What the answers to an item come to by a method. */
export interface Merged {
  value: AnswerValue;
  mask: string | null;
  area: number | null;
  /** 0 to 1. */
  confidence: number;
  /** Questions within the item on which the method saw no difference. What is current was kept for them. */
  ties: number;
}

/** The drawing of an answer; null for "nothing to label", and for a drawing without a pixel. */
export function drawingOf(mask: string | null, { height, width }: { height: number; width: number }) {
  const drawing = mask === null ? null : decodeCounts(mask, height, width);
  return drawing && !isEmpty(drawing) ? drawing : null;
}

/**
 * Whether there is something to draw is settled first, by the majority; where it is, by the method, among those who
 * drew. At a tie it is there: whoever drew it saw something. The confidence is the share of those who agree with the
 * first, times the mean IoU of the drawings with the result.
 */
export function mergeMasks(item: AnsweredItem, { aggregate }: MaskAggregator): Merged {
  const drawn = item.answers.flatMap(({ mask }): Mask[] => {
    const drawing = drawingOf(mask, item);
    return drawing ? [drawing] : [];
  });
  const share = drawn.length / item.answers.length;
  const ties = share === 0.5 ? 1 : 0;
  if (share < 0.5) return nothing(1 - share, ties);
  const { mask } = aggregate(drawn);
  if (isEmpty(mask)) return nothing(1 - share, ties);
  const near = drawn.reduce((sum, drawing) => sum + iou(drawing, mask), 0) / drawn.length;
  const counts = encodeCounts(mask);
  const size: [number, number] = [item.height, item.width];
  return {
    value: { kind: 'mask', shapes: [{ kind: 'bitmap', op: 'add', size, counts }] },
    mask: counts,
    area: area(mask),
    confidence: share * near,
    ties,
  };
}

const nothing = (confidence: number, ties: number): Merged => ({
  value: { kind: 'nothing' },
  mask: null,
  area: null,
  confidence,
  ties,
});

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
