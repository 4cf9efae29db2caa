import { and, eq, inArray } from 'drizzle-orm';
import { type Db, tables } from '@/db';
import { margin } from '@/lib/core/robustness/logits';
import type { Picture } from '@/lib/core/robustness/picture';
import { createRng, rngKey } from '@/lib/core/robustness/random';
import type { Reason, Row, Sample, Variant, VariantContext } from '@/lib/core/robustness/types';
import { sampleKey } from './sample-pool';
import { usesLabels, variantKey } from './stored-rows';

const { evaluationRows } = tables;

/** Images per write; an interruption loses at most these. */
const IMAGES_PER_WRITE = 16;
/** Variants with more runs per cell are stored after fewer images. */
const EXPENSIVE_RUNS = 50;

/** Samples processed concurrently, so that pictures are generated while the model runs. */
const CONCURRENT_SAMPLES = 6;

const togetherOf = ({ runs }: Variant): number =>
  runs > EXPENSIVE_RUNS ? CONCURRENT_SAMPLES : IMAGES_PER_WRITE;

export interface RowWork extends QueryOptions {
  db: Db;
  projectId: string;
  /** Key of the model files and the preprocessing. */
  model: string;
  /** Key of all images of the evaluation with their annotations. */
  pool: string;
  /** Key of the oracle; empty without one. */
  oracle: string;
  /** Key of the decoder; empty without one. */
  generator: string;
  /** Called after each group with the number of finished cells. */
  onProgress(cells: number): Promise<void>;
}

/** Returns the rows of a variant for all samples. Missing rows are computed and stored. */
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

/** Maps with limited concurrency, in order. After a failure no new work starts, and running work is awaited. */
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

/** Result of one cell as stored: without sample, variant and level. */
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
  /** Creates the variant context of one sample, which counts its queries. */
  createContext(): VariantContext & { readonly queries: number };
  signal: AbortSignal;
}

/** Pictures per request, and requests in flight. */
const PICTURES_PER_QUERY = 32;
const AHEAD = 2;

/**
 * Runs all cells of a variant on one sample. The pictures go to the model in requests of fixed size; the next pictures are
 * generated while the model runs.
 */
export async function querySample(
  work: QueryOptions,
  variant: Variant,
  sample: Sample,
): Promise<CellEntry[]> {
  const variantContext = work.createContext();
  const made: { reason: Reason | null; extra?: Row['extra']; queries: number }[] = [];
  const requests: Promise<Float32Array[]>[] = [];
  let pictures: Picture[] = [];
  const send = () => {
    const answer = variantContext.query(pictures);
    // Handled by `Promise.all` below; avoids an unhandled rejection until then.
    answer.catch(() => {});
    requests.push(answer);
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
    await requests.at(-AHEAD);
    send();
  }
  send();
  const logits = (await Promise.all(requests)).flat().values();
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
  // The first of equal logits.
  const entry: [null, number, number, number, number] = [
    null,
    logits.indexOf(most),
    rounded(pTrue),
    rounded(margin(logits, sample.classIndex)),
    queries,
  ];
  return Object.keys(extra).length > 0 ? [...entry, extra] : entry;
}

/** Rounds to float32 precision, which halves the stored JSON. */
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
