/** Shorter movements are straight for everybody. */
const MIN_REACH_PX = 30;
const MIN_REACH_STEPS = 4;
const MIN_JUMP_PX = 5;
const MAX_JUMP_STEPS = 2;
/** Longer movements are judged by their beginning; nothing grows without limit. */
const MAX_POINTS = 500;

export type ReachTraits = {
  pathPx: number;
  /** Null for movements that are too short to tell. */
  shape: { straightness: number; isStraight: boolean; isSteady: boolean } | null;
  speedPeaks: number;
  isJump: boolean;
};

/** One movement of a pointer. Its points are kept only while it lasts. */
export class Reach {
  readonly #points: number[] = [];
  #pathPx = 0;

  constructor(x: number, y: number) {
    this.#points.push(x, y);
  }

  /** Gives the length of the step. */
  add(x: number, y: number): number {
    const points = this.#points;
    const step = Math.hypot(x - (points.at(-2) as number), y - (points.at(-1) as number));
    if (!(step < 1e6)) return 0;
    this.#pathPx += step;
    if (points.length < 2 * MAX_POINTS) points.push(x, y);
    return step;
  }

  get end(): [number, number] {
    return [this.#points.at(-2) as number, this.#points.at(-1) as number];
  }

  traits(): ReachTraits {
    const steps = stepLengths(this.#points);
    const chord = chordOf(this.#points);
    const isLong = chord >= MIN_REACH_PX && steps.length >= MIN_REACH_STEPS;
    return {
      pathPx: this.#pathPx,
      shape: isLong
        ? {
            straightness: Math.min(1, chord / Math.max(chord, sum(steps))),
            isStraight: deviation(this.#points) <= Math.max(1, 0.004 * chord),
            isSteady: variation(steps) < 0.15,
          }
        : null,
      speedPeaks: peaks(steps),
      isJump: chord >= MIN_JUMP_PX && steps.length <= MAX_JUMP_STEPS,
    };
  }
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

function stepLengths(points: readonly number[]): number[] {
  const steps: number[] = [];
  for (let i = 2; i < points.length; i += 2) {
    const dx = (points[i] as number) - (points[i - 2] as number);
    const dy = (points[i + 1] as number) - (points[i - 1] as number);
    // A press comes at the place of the last movement.
    if (dx !== 0 || dy !== 0) steps.push(Math.hypot(dx, dy));
  }
  return steps;
}

const chordOf = (points: readonly number[]): number =>
  Math.hypot(
    (points.at(-2) as number) - (points[0] as number),
    (points.at(-1) as number) - (points[1] as number),
  );

/** The largest distance of a point from the line between start and end. */
function deviation(points: readonly number[]): number {
  const [x0, y0] = points as [number, number];
  const [dx, dy] = [(points.at(-2) as number) - x0, (points.at(-1) as number) - y0];
  const length = Math.hypot(dx, dy) || 1;
  let most = 0;
  for (let i = 2; i < points.length; i += 2) {
    const across = dx * ((points[i + 1] as number) - y0) - dy * ((points[i] as number) - x0);
    most = Math.max(most, Math.abs(across) / length);
  }
  return most;
}

/** Standard deviation divided by the mean. */
function variation(values: readonly number[]): number {
  const mean = sum(values) / values.length;
  if (!(mean > 0)) return Number.POSITIVE_INFINITY;
  return Math.sqrt(sum(values.map((value) => (value - mean) ** 2)) / values.length) / mean;
}

/** Steps that are longer than both neighbours, and not by rounding only. */
const peaks = (steps: readonly number[]): number =>
  steps.filter((step, i) => step > 1.2 * (steps[i - 1] ?? 0) && step > 1.2 * (steps[i + 1] ?? 0)).length;
