import { and, eq, inArray } from 'drizzle-orm';
import { type Db, tables } from '@/db';
import { margin } from '@/lib/evaluation/attacks/losses';
import { stream, streamKey } from '@/lib/evaluation/random/stream';
import type { Outcome, Reason, Row, Sample, Surroundings, Variant } from '@/lib/evaluation/types';
import { sampleKey } from './sample-pool';
import { usesLabels, variantKey } from './variant-key';

const { evaluationRows } = tables;

/** Images whose rows are written together: what a stop may cost. */
const TOGETHER = 16;
/** Of a variant that asks more often than this for one cell, each image is worth keeping by itself. */
const MANY_RUNS = 50;

const togetherOf = ({ runs }: Variant): number => (runs > MANY_RUNS ? 1 : TOGETHER);

/** A row without what its place says. */
type CellEntry = [
  reason: Reason | null,
  predicted: number,
  pTrue: number,
  margin: number,
  queries: number,
  extra?: Row['extra'],
];

export interface RowWork {
  db: Db;
  projectId: string;
  /** Of the model's files and of how pictures are prepared for it. */
  model: string;
  /** Of all images of the evaluation with what is drawn on them. */
  pool: string;
  seed: number;
  /** Of the models that judge; empty where there are none. */
  oracle: string;
  /** Counts what is asked of the model by this sample. */
  around(): Surroundings & { readonly queries: number };
  signal: AbortSignal;
  /** After each group: how many cells were made or found. */
  tell(cells: number): Promise<void>;
}

/** Rows of a variant for all samples: those that are known, and the others made now and kept. */
export async function rowsOf(
  work: RowWork,
  variant: Variant,
  samples: readonly { load(): Promise<Sample> }[],
): Promise<{ rows: Row[]; made: number }> {
  const name = variantKey(variant, work);
  const rows: Row[] = [];
  const together = togetherOf(variant);
  let made = 0;
  for (let from = 0; from < samples.length; from += together) {
    work.signal.throwIfAborted();
    const group = await Promise.all(
      samples.slice(from, from + together).map(async (each) => {
        const sample = await each.load();
        return { sample, key: sampleKey(sample, usesLabels(variant)) };
      }),
    );
    const known = await knownCells(
      work,
      name,
      group.map(({ key }) => key),
    );
    const fresh: { key: string; cells: CellEntry[] }[] = [];
    for (const { sample, key } of group) {
      const kept = known.get(key) ?? fresh.find((entry) => entry.key === key)?.cells;
      const cells = kept ?? (await makeCells(work, variant, sample));
      if (!kept) fresh.push({ key, cells });
      rows.push(...cells.map((cell, i) => rowOf(variant, sample, i, cell)));
    }
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
    await work.tell(group.length * variant.cells.length);
  }
  return { rows, made };
}

async function knownCells(
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

/** The pictures of one sample go to the model together: what a batch holds depends on nothing else. */
async function makeCells(work: RowWork, variant: Variant, sample: Sample): Promise<CellEntry[]> {
  const around = work.around();
  const made: { outcome: Outcome; queries: number }[] = [];
  for (const { level, trial } of variant.cells) {
    work.signal.throwIfAborted();
    const before = around.queries;
    const chance = stream(
      streamKey({ seed: work.seed, sample: sample.id, variant: variant.streams ?? variant.id, level, trial }),
    );
    const outcome = await variant.apply(sample, { level, trial }, chance, around);
    made.push({ outcome, queries: around.queries - before + ('invalid' in outcome ? 0 : 1) });
  }
  const pictures = made.flatMap(({ outcome }) => ('invalid' in outcome ? [] : [outcome.picture]));
  const logits = (await around.query(pictures)).values();
  return made.map(({ outcome, queries }) =>
    'invalid' in outcome
      ? [outcome.invalid, -1, 0, 0, queries]
      : entryOf(logits.next().value as Float32Array, sample, queries, outcome.extra),
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

function rowOf(variant: Variant, sample: Sample, at: number, entry: CellEntry): Row {
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
