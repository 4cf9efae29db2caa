import { margin } from '@/lib/core/robustness/attacks/losses';
import type { Picture } from '@/lib/core/robustness/picture';
import { stream, streamKey } from '@/lib/core/robustness/random/stream';
import type { Reason, Row, Sample, Surroundings, Variant } from '@/lib/core/robustness/types';

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

/** Pictures that are sent together, and how often that is done before there is an answer. */
const TOGETHER = 32;
const AHEAD = 2;

/**
 * The pictures of one sample go to the model together, many of them in several parts: what a part holds depends on
 * nothing else. While the model looks at one, the next is made.
 */
export async function askSample(work: Asking, variant: Variant, sample: Sample): Promise<CellEntry[]> {
  const around = work.around();
  const made: { reason: Reason | null; extra?: Row['extra']; queries: number }[] = [];
  const asked: Promise<Float32Array[]>[] = [];
  let pictures: Picture[] = [];
  const send = () => {
    const answer = around.query(pictures);
    // Heard of at the end, unless something else goes wrong before.
    answer.catch(() => {});
    asked.push(answer);
    pictures = [];
  };
  for (const { level, trial } of variant.cells) {
    work.signal.throwIfAborted();
    const before = around.queries;
    const chance = stream(
      streamKey({ seed: work.seed, sample: sample.id, variant: variant.streams ?? variant.id, level, trial }),
    );
    const outcome = await variant.apply(sample, { level, trial }, chance, around);
    const queries = around.queries - before;
    if ('invalid' in outcome) {
      made.push({ reason: outcome.invalid, queries });
      continue;
    }
    made.push({ reason: null, extra: outcome.extra, queries: queries + 1 });
    pictures.push(outcome.picture);
    if (pictures.length < TOGETHER) continue;
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
