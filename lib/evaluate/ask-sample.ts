import { margin } from '@/lib/evaluation/attacks/losses';
import { stream, streamKey } from '@/lib/evaluation/random/stream';
import type { Outcome, Reason, Row, Sample, Surroundings, Variant } from '@/lib/evaluation/types';

/** A row without what its place says. */
export type CellEntry = [
  reason: Reason | null,
  predicted: number,
  pTrue: number,
  margin: number,
  queries: number,
  extra?: Row['extra'],
];

export interface Asking {
  seed: number;
  /** Counts what is asked of the model by this sample. */
  around(): Surroundings & { readonly queries: number };
  signal: AbortSignal;
}

/** The pictures of one sample go to the model together: what a batch holds depends on nothing else. */
export async function askSample(work: Asking, variant: Variant, sample: Sample): Promise<CellEntry[]> {
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

export function rowOf(variant: Variant, sample: Sample, at: number, entry: CellEntry): Row {
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
