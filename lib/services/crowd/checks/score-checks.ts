import { type SQL, sql } from 'drizzle-orm';
import { type Transaction, tables } from '@/db';
import type { StageKind } from '@/db/schema';
import type { AnswerValue } from '@/lib/core/quality/answer';
import type { Policy } from '@/lib/core/quality/policy';
import { scoreCheck } from '@/lib/core/quality/score-check';

const { answers, checks, gold, images, items, leases } = tables;

type Row = {
  id: string;
  goldId: string;
  answer: { value: AnswerValue; mask: string | null };
  gold: { value: AnswerValue; mask: string | null };
  height: number;
  width: number;
};

/**
 * Scores the answered checks among the leases `l` that `which` holds for, and gives the gold that they are of.
 * That happens when a batch ends and never when an answer comes, so that no answer takes longer than another.
 */
export async function scoreChecks(
  tx: Transaction,
  which: SQL,
  stageKind: StageKind,
  policy: Policy,
): Promise<string[]> {
  const found = await tx.execute<Row>(sql`
    select c.id, c.gold_id as "goldId", image.height, image.width,
      jsonb_build_object('value', a.value, 'mask', a.mask) as answer,
      jsonb_build_object('value', g.value, 'mask', g.mask) as gold
    from ${leases} l
    join ${checks} c on c.lease_id = l.id and c.passed is null
    join ${answers} a on a.lease_id = l.id
    join ${gold} g on g.id = c.gold_id
    join ${items} i on i.id = l.item_id
    join ${images} image on image.id = i.image_id
    where ${which}`);
  const scored = found.rows.map((row) => ({ id: row.id, ...scoreCheck({ ...row, stageKind, policy }) }));
  if (scored.length === 0) return [];
  await tx.execute(sql`
    update ${checks} c set score = new.score, passed = new.passed, scored_at = now()
    from jsonb_to_recordset(${JSON.stringify(scored)}::jsonb) as new(id uuid, score jsonb, passed boolean)
    where c.id = new.id`);
  return found.rows.map((row) => row.goldId);
}
