import { desc, sql } from 'drizzle-orm';
import { type Db, tables } from '@/db';
import { decodeCounts, iou } from '@/lib/core/mask';
import { wilson } from '@/lib/core/quality/interval';
import { PREDICT_JOB } from '@/lib/services/inference/predictions';
import type { Job } from '@/lib/services/jobs';
import { SELECT_JOB, SELECTED } from './select-next';

const {
  answers,
  auditPicks,
  checks,
  decisions,
  images,
  items,
  jobs,
  labels,
  predictions,
  stages,
  suggestions,
} = tables;

/** The newest answers that are looked at: enough for narrow intervals, and read in a moment. */
const MAX_ANSWERS = 10_000;
/** Their masks are compared, which takes longer. */
const MAX_MASKS = 600;

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
  order by a.created_at desc limit ${MAX_ANSWERS}`;

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
    order by a.created_at desc limit ${MAX_MASKS}`);
  const levels: Record<State, number[]> = { shown: [], withheld: [] };
  for (const { state, mask, label, width, height } of found.rows)
    levels[state].push(
      mask === label ? 1 : iou(decodeCounts(mask, height, width), decodeCounts(label, height, width)),
    );
  return levels;
}

/** An estimate with its 95 % interval. */
export interface Figure {
  value: number;
  low: number;
  high: number;
  n: number;
}

/** The same figure where the outline was shown, where it was withheld, and the difference of both. */
export interface Comparison {
  shown: Figure | null;
  withheld: Figure | null;
  /** Shown minus withheld; null while either has fewer than `ENOUGH` cases. */
  difference: Omit<Figure, 'n'> | null;
}

/** Fewer cases than this on a side say nothing about a difference. */
export const ENOUGH = 20;

const Z = 1.959963984540054;

type Summary = (values: readonly number[]) => Figure | null;

/** Both sides by one summary; the interval of the difference is put together from those of the sides. */
export function compare(summary: Summary, shown: readonly number[], withheld: readonly number[]): Comparison {
  const [a, b] = [summary(shown), summary(withheld)];
  const isEnough = shown.length >= ENOUGH && withheld.length >= ENOUGH;
  return { shown: a, withheld: b, difference: a && b && isEnough ? between(a, b) : null };
}

/** Newcombe (1998), method 10: also right where an interval is not as long to both sides, as that of a share is not. */
function between(a: Figure, b: Figure): Omit<Figure, 'n'> {
  const value = a.value - b.value;
  return {
    value,
    low: value - Math.hypot(a.value - a.low, b.high - b.value),
    high: value + Math.hypot(a.high - a.value, b.value - b.low),
  };
}

/** The median, with the values between which it lies 95 of 100 times by the binomial distribution of ranks. */
export const median: Summary = (values) => {
  const n = values.length;
  if (n === 0) return null;
  const sorted = [...values].sort((x, y) => x - y);
  const at = (rank: number) => sorted[Math.min(n - 1, Math.max(0, rank))] as number;
  const half = (Z * Math.sqrt(n)) / 2;
  const value = (at((n - 1) >> 1) + at(n >> 1)) / 2;
  return { value, n, low: at(Math.floor(n / 2 - half)), high: at(Math.ceil(n / 2 + half)) };
};

export const mean: Summary = (values) => {
  const n = values.length;
  if (n === 0) return null;
  const value = values.reduce((sum, each) => sum + each, 0) / n;
  const squares = values.reduce((sum, each) => sum + (each - value) ** 2, 0);
  const half = n > 1 ? Z * Math.sqrt(squares / (n - 1) / n) : Number.POSITIVE_INFINITY;
  return { value, n, low: value - half, high: value + half };
};

/** Of ones and zeros. */
export const share: Summary = (values) =>
  wilson(
    values.reduce((sum, each) => sum + each, 0),
    values.length,
  );

interface LoopStage {
  id: string;
  name: string;
  kind: string;
  policy: Record<string, unknown>;
  /** Images that the stage still asks about, those that were chosen to come first, and those the model has seen. */
  open: number;
  chosen: number;
  seen: number;
}

export interface LoopState {
  /** Active images, and how many of them the model has seen. */
  images: number;
  seen: number;
  stages: LoopStage[];
  predicting: Job | null;
  selecting: Job | null;
}

/** How far a model is with the images of its project, and what the stages ask next. Three statements. */
export async function loopState(db: Db, projectId: string, modelId: string): Promise<LoopState> {
  const counted = await db.execute<{ images: number; seen: number }>(sql`
    select count(*)::int as images, count(p.image_id)::int as seen
    from ${images} i left join ${predictions} p on p.model_id = ${modelId} and p.image_id = i.id
    where i.project_id = ${projectId} and i.state = 'active'`);
  const asked = await db.execute<Record<string, unknown> & LoopStage>(sql`
    select s.id, s.name, s.kind, s.policy, coalesce(n.open, 0)::int as open, coalesce(n.chosen, 0)::int as chosen,
      coalesce(n.seen, 0)::int as seen
    from ${stages} s left join (
      select i.stage_id, count(distinct i.image_id) as open,
        count(distinct i.image_id) filter (where i.priority = ${SELECTED}) as chosen,
        count(distinct p.image_id) as seen
      from ${items} i left join ${predictions} p on p.model_id = ${modelId} and p.image_id = i.image_id
      where i.project_id = ${projectId} and i.state = 'open' group by 1) n on n.stage_id = s.id
    where s.project_id = ${projectId} order by s.position`);
  const newest = await db
    .selectDistinctOn([jobs.kind])
    .from(jobs)
    .where(sql`${jobs.projectId} = ${projectId} and ${jobs.kind} in (${PREDICT_JOB}, ${SELECT_JOB})`)
    .orderBy(jobs.kind, desc(jobs.id));
  const jobOf = (kind: string) => newest.find((job) => job.kind === kind) ?? null;
  return {
    images: counted.rows[0]?.images ?? 0,
    seen: counted.rows[0]?.seen ?? 0,
    stages: asked.rows,
    predicting: jobOf(PREDICT_JOB),
    selecting: jobOf(SELECT_JOB),
  };
}
