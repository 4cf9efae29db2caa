import { eq } from 'drizzle-orm';
import { type Db, tables } from '@/db';
import type { StageKind } from '@/db/schema';
import { invalid, notFound } from '@/lib/core/errors';
import { area, decodeCounts, iou, isEmpty } from '@/lib/core/mask';
import { aggregators } from '@/lib/core/quality/aggregate';
import { type MaskAggregator, maskAggregators } from '@/lib/core/quality/aggregate/masks';
import type { AnswerValue } from '@/lib/core/quality/answer';
import {
  decodeInstances,
  drawingOfInstances,
  groupInstances,
  hasInstances,
  type InstanceGroup,
  withoutAlternatives,
} from '@/lib/core/quality/instances';
import { type DatasetSchema, labelFlags } from '@/lib/core/schema';
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
 * first, times the mean IoU of the drawings with the result. If an answer has several instances, each is settled so by
 * itself, and the confidence is that of the least certain one.
 */
export function mergeMasks(item: AnsweredItem, { aggregate }: MaskAggregator): Merged {
  const answers = item.answers.length;
  const drawn = item.answers.flatMap((answer) => {
    const drawing = drawingOf(answer.mask, item);
    return drawing ? [{ ...answer, drawing }] : [];
  });
  const share = drawn.length / answers;
  const tie = Number(share === 0.5);
  if (share < 0.5) return nothing(1 - share, tie);
  const groups = drawn.some(hasInstances)
    ? groupInstances(drawn.map((answer) => decodeInstances(answer, item).filter((mask) => !isEmpty(mask))))
    : [drawn.map(({ drawing: mask }, answer) => ({ answer, mask, counts: '' }))];
  const merged = groups
    .map((group) => ({ group, ...mergeGroup(group, answers, aggregate) }))
    .sort((a, b) => b.share - a.share || b.near - a.near);
  const wanted = merged.filter((each) => each.share >= 0.5);
  const best = wanted.length > 0 ? wanted : merged.slice(0, 1);
  const kept = withoutAlternatives(best.filter(({ mask }) => !isEmpty(mask)));
  const ties = Math.max(tie, merged.filter((each) => each.share === 0.5).length);
  if (kept.length === 0) return nothing(1 - share, ties);
  const flags = labelFlags.filter((flag) => {
    const votes = drawn.filter(({ value }) => value.kind === 'mask' && value.flags?.includes(flag)).length;
    return votes > 0 && 2 * votes >= drawn.length;
  });
  const { value, mask, counts } = drawingOfInstances(
    kept.map((each) => each.mask),
    flags,
  );
  const certainties = merged.map((each) => (kept.includes(each) ? each.share * each.near : 1 - each.share));
  return { value, mask: counts, area: area(mask), confidence: Math.min(...certainties), ties };
}

/** The outline of one instance by a method, and how many of all answers have the instance. */
function mergeGroup(group: InstanceGroup, answers: number, aggregate: MaskAggregator['aggregate']) {
  const { mask } = aggregate(group.map((member) => member.mask));
  const near = group.reduce((sum, member) => sum + iou(member.mask, mask), 0) / group.length;
  return { mask, near, share: group.length / answers };
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
