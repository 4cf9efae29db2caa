import { inArray, sql } from 'drizzle-orm';
import { type Db, tables } from '@/db';
import type { Leak } from '@/lib/core/splits';
import { type Storage, signBlobUrl } from '@/lib/services/storage';
import { type SplitRequest, splitProject } from './assign-splits';
import type { FreezeMember } from './members';

const { derivatives, labels } = tables;

/** Maximum number of pairs on the page, which also shows the total. */
const MAX_LISTED = 60;

export interface LeakSide {
  imageId: string;
  name: string;
  split: string;
  thumbnail: string | null;
}

export interface FreezePlan {
  images: number;
  /** Images without labels; they are frozen with their class only. */
  unlabelled: number;
  splits: string[];
  /** In schema order. Images without a class come last, as null. */
  classes: { className: string | null; bySplit: Record<string, number>; total: number }[];
  leaks: { total: number; pairs: { why: Leak['why']; a: LeakSide; b: LeakSide }[] };
  /** Warnings as sentences. */
  warnings: string[];
}

/** Previews a version without freezing it. */
export async function planFreeze(db: Db, storage: Storage, asked: SplitRequest): Promise<FreezePlan> {
  const { schema, members, assignment, splits, leaks } = await splitProject(db, storage, asked);
  const order = [...schema.classes.map(({ id }) => id as string | null), null];
  const counts = new Map(order.map((name) => [name, new Map<string, number>()]));
  for (const member of members) {
    const row = counts.get(member.className) ?? new Map<string, number>();
    counts.set(member.className, row);
    const split = assignment.get(member.id) as string;
    row.set(split, (row.get(split) ?? 0) + 1);
  }
  const classes = [...counts]
    .map(([className, row]) => ({
      className,
      bySplit: Object.fromEntries(splits.map((split) => [split, row.get(split) ?? 0])),
      total: [...row.values()].reduce((sum, n) => sum + n, 0),
    }))
    .filter(({ total }) => total > 0);
  const labelled = await countLabelled(db, members);
  return {
    images: members.length,
    unlabelled: members.length - labelled,
    splits,
    classes,
    leaks: { total: leaks.length, pairs: await pairsOf(db, members, leaks.slice(0, MAX_LISTED)) },
    warnings: warningsOf(classes, splits, members.length, labelled),
  };
}

function warningsOf(
  classes: FreezePlan['classes'],
  splits: readonly string[],
  images: number,
  labelled: number,
): string[] {
  const warnings: string[] = [];
  if (images === 0) warnings.push('No active images match. Change the filter or add images.');
  for (const { className, bySplit } of classes) {
    const without = splits.filter((split) => !bySplit[split]);
    if (without.length > 0)
      warnings.push(
        `${className ?? 'Images without a class'}: none in ${without.join(', ')}. Loaders that number the classes of each split by themselves would go wrong.`,
      );
  }
  if (images > 0 && labelled === 0) warnings.push('No image has a label.');
  return warnings;
}

async function countLabelled(db: Db, members: readonly FreezeMember[]): Promise<number> {
  if (members.length === 0) return 0;
  const ids = members.map(({ imageId }) => imageId);
  const found = await db.execute<{ n: number }>(sql`
    select count(distinct l.image_id)::int as n from ${labels} l
    where l.is_current and l.image_id = any(${sql.param(ids)}::uuid[])`);
  return found.rows[0]?.n ?? 0;
}

async function pairsOf(db: Db, members: readonly FreezeMember[], leaks: readonly Leak[]) {
  if (leaks.length === 0) return [];
  const bySource = new Map(members.map((member) => [member.id, member]));
  const ids = leaks.flatMap(({ a, b }) => [a, b]).map((id) => bySource.get(id)?.imageId as string);
  const rows = await db
    .select({ imageId: derivatives.imageId, kind: derivatives.kind, blob: derivatives.blob })
    .from(derivatives)
    .where(inArray(derivatives.imageId, ids));
  const thumbnails = new Map(
    rows.filter(({ kind }) => kind === 'thumbnail').map(({ imageId, blob }) => [imageId, signBlobUrl(blob)]),
  );
  const side = (id: string, split: string): LeakSide => {
    const { imageId, name } = bySource.get(id) as FreezeMember;
    return { imageId, name, split, thumbnail: thumbnails.get(imageId) ?? null };
  };
  return leaks.map(({ a, b, why, parts }) => ({ why, a: side(a, parts[0]), b: side(b, parts[1]) }));
}
