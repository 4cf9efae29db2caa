import { and, eq, inArray } from 'drizzle-orm';
import { type Db, tables } from '@/db';
import { margin } from '@/lib/core/robustness/logits';
import type { Picture } from '@/lib/core/robustness/picture';
import { createRng, rngKey } from '@/lib/core/robustness/random';
import type { Reason, Row, Sample, Variant, VariantContext } from '@/lib/core/robustness/types';
import { sampleKey } from './sample-pool';
import { usesLabels, variantKey } from './stored-rows';

const { evaluationRows } = tables;

/** Images whose rows are written together: what a stop may cost. */
const IMAGES_PER_WRITE = 16;
/** Of a variant that asks more often than this for one cell, a few images are worth keeping by themselves. */
const EXPENSIVE_RUNS = 50;

/** Samples in hand at once: while the model looks at the pictures of one, those of others are made and wait for it. */
const CONCURRENT_SAMPLES = 6;

const togetherOf = ({ runs }: Variant): number =>
  runs > EXPENSIVE_RUNS ? CONCURRENT_SAMPLES : IMAGES_PER_WRITE;

export interface RowWork extends QueryOptions {
  db: Db;
  projectId: string;
  /** Of the model's files and of how pictures are prepared for it. */
  model: string;
  /** Of all images of the evaluation with what is drawn on them. */
  pool: string;
  /** Of the models that judge; empty where there are none. */
  oracle: string;
  /** Of the decoder that drives pictures; empty where there is none. */
  generator: string;
  /** After each group: how many cells were made or found. */
  onProgress(cells: number): Promise<void>;
}

/** Rows of a variant for all samples: those that are known, and the others made now and kept. */
export async function computeRows(
  work: RowWork,
  variant: Variant,
  samples: readonly { load(): Promise<Sample> }[],
): Promise<{ rows: Row[]; made: number; runs: number }> {
  const name = variantKey(variant, work);
  const rows: Row[] = [];
  const together = togetherOf(variant);
  let [made, runs] = [0, 0];
  for (let from = 0; from < samples.length; from += together) {
    work.signal.throwIfAborted();
    const group = await Promise.all(
      samples.slice(from, from + together).map(async (each) => {
        const sample = await each.load();
        return { sample, key: sampleKey(sample, usesLabels(variant)) };
      }),
    );
    const known = await loadStoredCells(
      work,
      name,
      group.map(({ key }) => key),
    );
    const wanted = new Map(group.map(({ key, sample }) => [key, sample]));
    for (const key of known.keys()) wanted.delete(key);
    const fresh = await mapConcurrently([...wanted], async ([key, sample]) => ({
      key,
      cells: await querySample(work, variant, sample),
    }));
    const found = new Map([...known, ...fresh.map(({ key, cells }) => [key, cells] as const)]);
    for (const { sample, key } of group)
      for (const [i, cell] of (found.get(key) ?? []).entries()) rows.push(toRow(variant, sample, i, cell));
    if (fresh.length > 0)
      await work.db
        .insert(evaluationRows)
        .values(
          fresh.map(({ key, cells }) => ({
            projectId: work.projectId,
            model: work.model,
            variant: name,
            sample: key,
            cells,
          })),
        )
        .onConflictDoNothing();
    made += fresh.length;
    runs += fresh.reduce((sum, { cells }) => sum + queriesOf(cells), 0);
    await work.onProgress(group.length * variant.cells.length);
  }
  return { rows, made, runs };
}

const queriesOf = (cells: readonly CellEntry[]): number =>
  cells.reduce((sum, [, , , , queries]) => sum + queries, 0);

/** Some at once; answers in the order of what was given. After a failure nothing more is begun, and all has ended. */
async function mapConcurrently<T, R>(given: readonly T[], make: (each: T) => Promise<R>): Promise<R[]> {
  const made: R[] = [];
  const queue = given.entries();
  let failed = false;
  const workers = Array.from({ length: CONCURRENT_SAMPLES }, async () => {
    for (const [at, each] of queue) {
      if (failed) return;
      try {
        made[at] = await make(each);
      } catch (error) {
        failed = true;
        throw error;
      }
    }
  });
  const ends = await Promise.allSettled(workers);
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
  return made;
}

async function loadStoredCells(
  { db, projectId, model }: RowWork,
  variant: string,
  samples: readonly string[],
): Promise<Map<string, CellEntry[]>> {
  const found = await db
    .select({ sample: evaluationRows.sample, cells: evaluationRows.cells })
    .from(evaluationRows)
    .where(
      and(
        eq(evaluationRows.projectId, projectId),
        eq(evaluationRows.model, model),
        eq(evaluationRows.variant, variant),
        inArray(evaluationRows.sample, [...samples]),
      ),
    );
  return new Map(found.map(({ sample, cells }) => [sample, cells as CellEntry[]]));
}

/** A row without what its place says. */
export type CellEntry = [
  reason: Reason | null,
  predicted: number,
  pTrue: number,
  margin: number,
  queries: number,
  extra?: Row['extra'],
];

interface QueryOptions {
  seed: number;
  /** Counts what is asked of the model by this sample. */
  createContext(): VariantContext & { readonly queries: number };
  signal: AbortSignal;
}

/** Pictures that are sent together, and how often that is done before there is an answer. */
const PICTURES_PER_QUERY = 32;
const AHEAD = 2;

/**
 * The pictures of one sample go to the model together, many of them in several parts: what a part holds depends on
 * nothing else. While the model looks at one, the next is made.
 */
export async function querySample(
  work: QueryOptions,
  variant: Variant,
  sample: Sample,
): Promise<CellEntry[]> {
  const variantContext = work.createContext();
  const made: { reason: Reason | null; extra?: Row['extra']; queries: number }[] = [];
  const asked: Promise<Float32Array[]>[] = [];
  let pictures: Picture[] = [];
  const send = () => {
    const answer = variantContext.query(pictures);
    // Heard of at the end, unless something else goes wrong before.
    answer.catch(() => {});
    asked.push(answer);
    pictures = [];
  };
  for (const { level, trial } of variant.cells) {
    work.signal.throwIfAborted();
    const before = variantContext.queries;
    const rng = createRng(
      rngKey({ seed: work.seed, sample: sample.id, variant: variant.rngName ?? variant.id, level, trial }),
    );
    const outcome = await variant.apply(sample, { level, trial }, rng, variantContext);
    const queries = variantContext.queries - before;
    if ('invalid' in outcome) {
      made.push({ reason: outcome.invalid, queries });
      continue;
    }
    made.push({ reason: null, extra: outcome.extra, queries: queries + 1 });
    pictures.push(outcome.picture);
    if (pictures.length < PICTURES_PER_QUERY) continue;
    await asked.at(-AHEAD);
    send();
  }
  send();
  const logits = (await Promise.all(asked)).flat().values();
  return made.map(({ reason, extra, queries }) =>
    reason
      ? [reason, -1, 0, 0, queries]
      : entryOf(logits.next().value as Float32Array, sample, queries, extra),
  );
}

function entryOf(logits: Float32Array, sample: Sample, queries: number, extra: Row['extra'] = {}): CellEntry {
  if (logits.some((value) => !Number.isFinite(value))) return ['not-finite', -1, 0, 0, queries];
  const most = logits.reduce((a, b) => Math.max(a, b));
  const total = logits.reduce((sum, value) => sum + Math.exp(value - most), 0);
  const pTrue = Math.exp((logits[sample.classIndex] as number) - most) / total;
  // Of equal logits the first.
  const entry: [null, number, number, number, number] = [
    null,
    logits.indexOf(most),
    rounded(pTrue),
    rounded(margin(logits, sample.classIndex)),
    queries,
  ];
  return Object.keys(extra).length > 0 ? [...entry, extra] : entry;
}

/** Float32 holds no more; JSON would write twice as much. */
const rounded = (value: number): number => Number(value.toPrecision(8));

export function toRow(variant: Variant, sample: Sample, at: number, entry: CellEntry): Row {
  const [reason, predicted, pTrue, ahead, queries, extra = {}] = entry;
  const { level, trial } = variant.cells[at] as Variant['cells'][number];
  return {
    sample: sample.id,
    variant: variant.id,
    level,
    trial,
    reason,
    predicted,
    pTrue,
    margin: ahead,
    extra,
    queries,
  };
}
