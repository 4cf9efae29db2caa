/** What there is to choose from. */
export interface Candidate {
  /** Of the image; the last word where two are equal. */
  id: string;
  /** 0 to 1. */
  uncertainty: number;
  /** The pooled feature map; null where the model tells none. */
  feature: readonly number[] | null;
}

/** For each that is wanted, how many of the most uncertain are looked at. */
const POOL = 8;

/** How many of the most uncertain are chosen from. Of few the surer half is left out, unless all are wanted. */
export const poolSize = (candidates: number, count: number): number =>
  Math.min(candidates, POOL * count, Math.max(count, Math.ceil(candidates / 2)));

/** Which of all candidates to ask about next. Their order does not matter. */
export const selectDiverse = (candidates: readonly Candidate[], count: number): string[] => [
  ...picks([...candidates].sort(byUncertainty).slice(0, poolSize(candidates.length, count)), count),
];

/**
 * Of the most uncertain ones, which come in that order, those that are farthest from each other. The first is the
 * most uncertain; each next one is the farthest from all that are chosen (Gonzalez 1985), by the angle between features,
 * so that not one hard kind of picture is asked a hundred times over. What has no feature, or the very feature of one
 * that is chosen, comes last, the more uncertain first. One after the other, so that whoever asks can do something else in between.
 */
export function* picks(pool: readonly Candidate[], count: number): Generator<string> {
  const units = pool.map(({ feature }) => (feature ? unitOf(feature) : null));
  const distance = new Float64Array(pool.length).fill(Number.POSITIVE_INFINITY);
  const isChosen = new Uint8Array(pool.length);
  for (let chosen = 0; chosen < Math.min(count, pool.length); chosen++) {
    const next = farthest(distance, isChosen, units);
    isChosen[next] = 1;
    yield (pool[next] as Candidate).id;
    const unit = units[next];
    if (!unit) continue;
    for (const [at, other] of units.entries())
      if (other) distance[at] = Math.min(distance[at] as number, apart(unit, other));
  }
}

const byUncertainty = (a: Candidate, b: Candidate): number =>
  b.uncertainty - a.uncertainty || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);

/** The pool is in order of uncertainty: of equal distances the first counts. */
function farthest(distance: Float64Array, isChosen: Uint8Array, units: readonly (number[] | null)[]): number {
  let [best, most] = [-1, -1];
  for (let at = 0; at < distance.length; at++) {
    if (isChosen[at]) continue;
    const far = units[at] ? (distance[at] as number) : 0;
    if (far > most) [best, most] = [at, far];
  }
  return best;
}

/** Of length one; null for a feature that points nowhere. */
function unitOf(feature: readonly number[]): number[] | null {
  const length = Math.hypot(...feature);
  return length > 0 && Number.isFinite(length) ? feature.map((value) => value / length) : null;
}

/** The chord between two directions: 0 where they are the same, 2 where they are opposite. */
export function apart(a: readonly number[], b: readonly number[]): number {
  let sum = 0;
  for (let at = 0; at < Math.min(a.length, b.length); at++) {
    const step = (a[at] as number) - (b[at] as number);
    sum += step * step;
  }
  return Math.sqrt(sum);
}
