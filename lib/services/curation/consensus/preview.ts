import { sql } from 'drizzle-orm';
import { type Db, tables } from '@/db';
import { decodeCounts, iou } from '@/lib/core/mask';
import { isSameDrawing } from '@/lib/core/quality/instances';
import { meanWithInterval, type Share, wilson } from '@/lib/core/quality/interval';
import { type Merged, type MergeInput, mergerFor } from './merger';
import { type AnsweredItem, type CurrentLabel, hasSeveral, readItems, shuffled } from './read-items';

const { items } = tables;

/** Items that a preview looks at: enough for a share within 7 %, quick enough for a page. */
const SAMPLE = 200;

export interface Preview {
  /** Settled items with two answers or more. */
  population: number;
  sampled: number;
  kept: number;
  merged: number;
  /** Of the sampled items, how many labels would change; null of an empty sample. */
  changed: Share | null;
  /** Of those whose mask stays a mask, the IoU of old and new. */
  iou: Share | null;
  appears: number;
  vanishes: number;
  ties: number;
  /** By attribute or class, how often it would be added or removed, the most frequent first. */
  targets: { id: string; added: number; removed: number }[];
}

/** What a run would change, on a sample that the seed decides. Nothing is written. */
export async function previewRun(db: Db, input: MergeInput): Promise<Preview> {
  const merge = await mergerFor(db, input);
  const where = sql`i.stage_id = ${input.stageId} and ${hasSeveral}`;
  const counted = await db.execute<{ n: number }>(
    sql`select count(*)::int as n from ${items} i where ${where}`,
  );
  const sample = await readItems(db, { where, order: shuffled(input.seed), limit: SAMPLE });
  const several = sample.filter((item) => !isKept(item.label) && item.answers.length > 1);
  const merged = merge(several);
  const found = several.flatMap((item) => {
    const outcome = merged.get(item.id);
    return outcome ? [{ outcome, difference: differenceOf(item, outcome) }] : [];
  });
  const differences = found.map(({ difference }) => difference);
  const near = meanWithInterval(differences.flatMap(({ iou }) => iou ?? []));
  return {
    population: counted.rows[0]?.n ?? 0,
    sampled: sample.length,
    kept: sample.filter(({ label }) => isKept(label)).length,
    merged: found.length,
    changed: wilson(differences.filter(({ isChanged }) => isChanged).length, sample.length),
    iou: near && { ...near, low: Math.max(0, near.low), high: Math.min(1, near.high) },
    appears: differences.filter(({ appears }) => appears).length,
    vanishes: differences.filter(({ vanishes }) => vanishes).length,
    ties: found.reduce((sum, { outcome }) => sum + outcome.ties, 0),
    targets: byTarget(differences),
  };
}

function byTarget(differences: readonly { added: string[]; removed: string[] }[]): Preview['targets'] {
  const count = (list: string[]) => {
    const found = new Map<string, number>();
    for (const id of list) found.set(id, (found.get(id) ?? 0) + 1);
    return found;
  };
  const added = count(differences.flatMap((each) => each.added));
  const removed = count(differences.flatMap((each) => each.removed));
  return [...new Set([...added.keys(), ...removed.keys()])]
    .map((id) => ({ id, added: added.get(id) ?? 0, removed: removed.get(id) ?? 0 }))
    .sort((a, b) => b.added + b.removed - a.added - a.removed);
}

/** Labels that people or files made, or that a curator accepted, stand above what the crowd says. */
export const isKept = (label: CurrentLabel | null): boolean =>
  label !== null && (label.isAccepted || (label.source !== 'answer' && label.source !== 'consensus'));

interface Difference {
  isChanged: boolean;
  /** Attributes that come to be marked, and that no longer are. */
  added: string[];
  removed: string[];
  /** Of masks: there is something where there was nothing, or the other way round. */
  appears: boolean;
  vanishes: boolean;
  /** Of the two masks, where there are two. */
  iou: number | null;
}

const positives = (value: { kind: string; choices?: Record<string, string[]>; className?: string }) =>
  value.className === undefined
    ? Object.values(value.choices ?? {})
        .flat()
        .filter((id) => id !== 'none')
    : [value.className];

const flagsOf = (value: { flags?: readonly string[] | undefined }): string => (value.flags ?? []).join();
const sameFlags = (a: CurrentLabel, { value }: Merged): boolean =>
  flagsOf(a.value) === (value.kind === 'mask' ? flagsOf(value) : '');

/** How a merged answer differs from the label that is current. */
export function differenceOf(item: AnsweredItem, merged: Merged): Difference {
  const before = item.label;
  const [old, fresh] = [new Set(before ? positives(before.value) : []), new Set(positives(merged.value))];
  const added = [...fresh].filter((id) => !old.has(id));
  const removed = [...old].filter((id) => !fresh.has(id));
  const isSameMask =
    before === null ? merged.mask === null : isSameDrawing(before, merged) && sameFlags(before, merged);
  const measured =
    before?.mask && merged.mask
      ? iou(
          decodeCounts(before.mask, item.height, item.width),
          decodeCounts(merged.mask, item.height, item.width),
        )
      : null;
  return {
    isChanged: before === null || added.length > 0 || removed.length > 0 || !isSameMask,
    added,
    removed,
    appears: before !== null && before.mask === null && merged.mask !== null,
    vanishes: before !== null && before.mask !== null && merged.mask === null,
    iou: measured,
  };
}
