import { sql } from 'drizzle-orm';
import { type Db, tables } from '@/db';
import { decodeCounts, iou } from '@/lib/core/mask';
import { type Comparison, compare, mean, median, share } from './compare-arms';

const { answers, auditPicks, checks, decisions, images, labels, suggestions } = tables;

/** The newest answers that are looked at: enough for narrow intervals, and read in a moment. */
const MOST_ANSWERS = 10_000;
/** Their masks are compared, which takes longer. */
const MOST_MASKS = 600;

export interface SuggestionEffect {
  /**
   * Leases for which an outline was there: those with an answer, by what was drawn for them when they were leased. That
   * the outline then was on the screen is not written down: suggestions may have been switched off in between.
   */
  shown: number;
  withheld: number;
  /** Of the answers where it was shown: those that took it over, and those of them that changed nothing. */
  used: number;
  unedited: number;
  /** Seconds. */
  time: Comparison;
  /** IoU with gold, of hidden checks. */
  gold: Comparison;
  /**
   * Agreement with the current label (IoU), of items that more than one person answered. No measure of quality: the answer
   * is one of those that the label was made of, and where outlines were offered several people may have taken over the
   * same one and so agree in its mistakes.
   */
  agreement: Comparison;
  /** Share of reviewed labels that a curator found wrong. */
  wrong: Comparison;
}

type State = 'shown' | 'withheld';

type Row = {
  state: State;
  ms: number;
  iou: number | null;
  wrong: boolean | null;
  used: boolean;
  unedited: boolean;
};

/** What the outlines of a model did to time and quality. The draw was random, so the difference is their effect. Two statements. */
export async function suggestionEffect(db: Db, modelId: string): Promise<SuggestionEffect> {
  const rows = (await db.execute<Row>(answersOf(modelId))).rows;
  const agreed = await agreements(db, modelId);
  const pick = (state: State, read: (row: Row) => number | null) =>
    rows.flatMap((row) => {
      const value = row.state === state ? read(row) : null;
      return value === null ? [] : [value];
    });
  const both = (read: (row: Row) => number | null) => [pick('shown', read), pick('withheld', read)] as const;
  return {
    shown: pick('shown', () => 1).length,
    withheld: pick('withheld', () => 1).length,
    used: pick('shown', ({ used }) => (used ? 1 : null)).length,
    unedited: pick('shown', ({ unedited }) => (unedited ? 1 : null)).length,
    time: compare(median, ...both(({ ms }) => ms / 1000)),
    gold: compare(mean, ...both((row) => row.iou)),
    agreement: compare(mean, agreed.shown, agreed.withheld),
    wrong: compare(share, ...both(({ wrong }) => (wrong === null ? null : Number(wrong)))),
  };
}

/** A label was found wrong by the newest verdict about a label of the item, in the queue or in a sample. */
const answersOf = (modelId: string) => sql`
  select s.state, a.active_ms as ms, (c.score->>'iou')::float as iou,
    coalesce(picked.wrong, decided.wrong) as wrong,
    coalesce(a.value->'assists' @> '[{"kind": "model-outline"}]', false) as used,
    coalesce(a.value->'assists' @> '[{"kind": "model-outline", "edited": false}]', false) as unedited
  from ${suggestions} s
  join ${answers} a on a.lease_id = s.lease_id
  left join ${checks} c on c.lease_id = s.lease_id and c.passed is not null
  left join lateral (
    select case when d.verdict = 'undone' then null else d.verdict <> 'accepted' end as wrong
    from ${labels} l join ${decisions} d on d.subject = 'label' and d.subject_id = l.id
    where l.item_id = a.item_id order by d.id desc limit 1) decided on true
  left join lateral (
    select k.verdict = 'wrong' as wrong
    from ${labels} l join ${auditPicks} k on k.label_id = l.id and k.verdict is not null
    where l.item_id = a.item_id order by k.decided_at desc limit 1) picked on true
  where s.model_id = ${modelId}
  order by a.created_at desc limit ${MOST_ANSWERS}`;

async function agreements(db: Db, modelId: string): Promise<Record<State, number[]>> {
  const found = await db.execute<{
    state: State;
    mask: string;
    label: string;
    width: number;
    height: number;
  }>(sql`
    select s.state, a.mask, l.mask as label, p.width, p.height
    from ${suggestions} s
    join ${answers} a on a.lease_id = s.lease_id and a.mask is not null
    join ${labels} l on l.item_id = a.item_id and l.is_current and l.mask is not null
    join ${images} p on p.id = l.image_id
    where s.model_id = ${modelId}
      and exists (select 1 from ${answers} o where o.item_id = a.item_id and o.id <> a.id)
      and not exists (select 1 from ${checks} c where c.lease_id = s.lease_id)
    order by a.created_at desc limit ${MOST_MASKS}`);
  const levels: Record<State, number[]> = { shown: [], withheld: [] };
  for (const { state, mask, label, width, height } of found.rows)
    levels[state].push(
      mask === label ? 1 : iou(decodeCounts(mask, height, width), decodeCounts(label, height, width)),
    );
  return levels;
}
