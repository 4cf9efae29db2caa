import { median } from '../score';
import { Reach } from './reach';
import { clampCount, clampMs, type InteractionSummary } from './summary';

/** Times are ms since the item was shown, positions are screen pixels. */
export type InteractionEvent =
  | {
      kind: 'down' | 'move' | 'up';
      time: number;
      x: number;
      y: number;
      pointer: 'mouse' | 'pen' | 'touch';
      isTrusted: boolean;
      /** Positions on the way that the browser merged into this event: x0, y0, x1, y1, … */
      trail?: readonly number[];
    }
  | {
      kind: 'key' | 'wheel' | 'click' | 'leave';
      time: number;
      isTrusted: boolean;
      /** A key that was pressed while the item loaded. Its time is that of the page, not of the hand. */
      isReplayed?: boolean;
    };

const counted = [
  'downs',
  'touches',
  'moves',
  'ups',
  'keys',
  'wheels',
  'clicks',
  'untrusted',
  'leaves',
] as const;
const measured = ['reaches', 'straightReaches', 'steadyReaches', 'speedPeaks', 'jumps', 'pauses'] as const;
type Counter = (typeof counted)[number] | (typeof measured)[number];

/** Plain data, so that it survives a reload in the browser's storage. */
export type RecorderState = Record<Counter, number> & {
  pathPx: number;
  straightnessSum: number;
  gaps: number[];
  firstMs: number | null;
  isResumed: boolean;
};

const MAX_GAPS = 400;
const MIN_GAPS = { median: 4, spread: 8 };
/** Longer gaps mean that the worker was away. */
const MAX_GAP_MS = 30_000;
const PAUSE_MS = 500;
/** A pointer that rests this long has ended its movement. */
const REST_MS = 150;
/** A click this soon after a press belongs to it. */
const CLICK_MS = 1000;

const emptyState = (): RecorderState => ({
  ...(Object.fromEntries([...counted, ...measured].map((name) => [name, 0])) as Record<Counter, number>),
  pathPx: 0,
  straightnessSum: 0,
  gaps: [],
  firstMs: null,
  isResumed: false,
});

/** Turns the events on an item into a summary. Positions are forgotten as soon as a movement ends. */
export class InteractionRecorder {
  readonly #state: RecorderState = emptyState();
  #reach: Reach | undefined;
  #isPressed = false;
  #lastEvent: number | undefined;
  #lastMove: number | undefined;
  #lastAct: number | undefined;

  /** Part of the answer was entered before a reload or elsewhere. Adds what is known of it. */
  resume(earlier?: RecorderState): void {
    const state = this.#state;
    state.isResumed = true;
    if (!earlier) return;
    for (const name of [...counted, ...measured]) state[name] += earlier[name];
    state.pathPx += earlier.pathPx;
    state.straightnessSum += earlier.straightnessSum;
    state.gaps.unshift(...earlier.gaps.slice(0, MAX_GAPS - state.gaps.length));
    state.firstMs = earlier.firstMs ?? state.firstMs;
  }

  record(event: InteractionEvent): void {
    const { kind, time, isTrusted } = event;
    if (!Number.isFinite(time)) return;
    const state = this.#state;
    if (kind === 'leave') {
      state.leaves++;
      return;
    }
    state.firstMs ??= clampMs(time);
    if (!isTrusted) state.untrusted++;
    if (this.#lastEvent !== undefined && time - this.#lastEvent > PAUSE_MS) state.pauses++;
    this.#lastEvent = time;
    if (event.kind === 'key') {
      state.keys++;
      if (!event.isReplayed) this.#act(time);
    } else if (kind === 'wheel') state.wheels++;
    else if (kind === 'click') {
      if (this.#lastAct === undefined || time - this.#lastAct > CLICK_MS) state.clicks++;
    } else if ('x' in event) this.#point(event);
  }

  /** The state for the browser's storage. */
  get state(): RecorderState {
    return { ...this.#state, gaps: [...this.#state.gaps] };
  }

  summary(): InteractionSummary {
    const { gaps, straightnessSum, pathPx, firstMs, isResumed, ...counts } = this.#state;
    const logs = gaps.map((gap) => Math.log(Math.max(1, gap))).sort((a, b) => a - b);
    return {
      version: 1,
      ...(Object.fromEntries(
        [...counted, ...measured].map((name) => [name, clampCount(counts[name])]),
      ) as Record<Counter, number>),
      pathPx: Math.min(1e9, Math.round(pathPx)),
      straightness: counts.reaches > 0 ? rounded(Math.min(1, straightnessSum / counts.reaches)) : null,
      gapMedianMs: gaps.length >= MIN_GAPS.median ? clampMs(median(gaps) ?? 0) : null,
      gapSpread: gaps.length >= MIN_GAPS.spread ? rounded(quantile(logs, 0.75) - quantile(logs, 0.25)) : null,
      firstMs,
      isResumed,
    };
  }

  #act(time: number): void {
    const gap = this.#lastAct === undefined ? undefined : time - this.#lastAct;
    this.#lastAct = time;
    const { gaps } = this.#state;
    if (gap !== undefined && gap >= 0 && gap <= MAX_GAP_MS && gaps.length < MAX_GAPS) gaps.push(gap);
  }

  #point(event: Extract<InteractionEvent, { x: number }>): void {
    const state = this.#state;
    const { kind, time, x, y, pointer } = event;
    if (!Number.isFinite(x) || !Number.isFinite(y)) return;
    if (kind === 'up') {
      state.ups++;
      this.#isPressed = false;
      this.#reach = new Reach(x, y);
      return;
    }
    const trail = event.trail ?? [];
    if (this.#lastMove !== undefined && time - this.#lastMove > REST_MS && !this.#isPressed)
      this.#endReach(pointer, false);
    this.#lastMove = time;
    this.#reach ??= new Reach(trail[0] ?? x, trail[1] ?? y);
    for (let i = 0; i + 1 < trail.length; i += 2) {
      state.moves++;
      state.pathPx += this.#reach.add(trail[i] as number, trail[i + 1] as number);
    }
    state.pathPx += this.#reach.add(x, y);
    if (kind === 'move') {
      state.moves++;
      return;
    }
    state.downs++;
    if (pointer !== 'mouse') state.touches++;
    this.#endReach(pointer, true);
    this.#isPressed = true;
    this.#act(time);
  }

  /** Finger and pen come down anywhere, so only movements of a mouse are judged. */
  #endReach(pointer: 'mouse' | 'pen' | 'touch', byPress: boolean): void {
    const reach = this.#reach;
    if (!reach) return;
    this.#reach = new Reach(...reach.end);
    if (pointer !== 'mouse' || this.#isPressed) return;
    const state = this.#state;
    const { shape, speedPeaks, isJump } = reach.traits();
    state.speedPeaks += speedPeaks;
    if (byPress && isJump) state.jumps++;
    if (!shape) return;
    state.reaches++;
    state.straightnessSum += shape.straightness;
    if (shape.isStraight) state.straightReaches++;
    if (shape.isSteady) state.steadyReaches++;
  }
}

const rounded = (value: number): number => Math.round(value * 1000) / 1000;

function quantile(sorted: readonly number[], share: number): number {
  const at = share * (sorted.length - 1);
  const [low, high] = [sorted[Math.floor(at)] ?? 0, sorted[Math.ceil(at)] ?? 0];
  return low + (at - Math.floor(at)) * (high - low);
}
