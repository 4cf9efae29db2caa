import type { AnswerValue } from '@/lib/core/quality/answer';
import {
  type InteractionEvent,
  InteractionRecorder,
  type InteractionSummary,
} from '@/lib/core/quality/interaction';
import type { Rng } from '@/lib/demo/scenes/prng';

/**
 * How somebody enters answers. `mouse`, `touch` and `keyboard` are people; `voice` is a person who moves the pointer by a
 * spoken grid; `none` sends no summary; `driver` is a program that drives a browser.
 */
export type InputStyle = 'mouse' | 'touch' | 'keyboard' | 'voice' | 'driver' | 'none';

type Point = [x: number, y: number];

const SCREEN = 1.6;

/** How one person or program moves, the same on every item. */
export interface Hand {
  style: InputStyle;
  /** Typical time between two presses without the movement, and how much it varies. */
  gapMs: number;
  sigma: number;
  /** Tremor in pixels, and how far movements bend, as a share of their length. */
  shake: number;
  bend: number;
  /** Time between two pointer events: a frame of the screen, or far longer over a remote desktop. */
  frameMs: number;
  /** Of a driver: positions on the way to a press, and by what share its waiting times vary. */
  steps: number;
  jitter: number;
}

export const handOf = (style: InputStyle, random: Rng): Hand => ({
  style,
  gapMs: logNormal(420, 0.3, random),
  sigma: random.between(0.15, 0.8),
  shake: random.between(0.1, 1.6),
  bend: random.between(0.01, 0.05),
  frameMs: 1000 / random.pick([120, 60, 60, 60, 30, 12]),
  steps: random.pick([1, 8, 20]),
  jitter: random.pick([0, 0.05, 0.1]),
});

/** The summary that the annotator would send for an answer entered by this hand; undefined where it sends none. */
export function simulateInteraction(
  value: AnswerValue,
  hand: Hand,
  random: Rng,
): InteractionSummary | undefined {
  if (hand.style === 'none') return undefined;
  const recorder = new InteractionRecorder();
  for (const event of eventsFor(value, hand, random)) recorder.record(event);
  return recorder.summary();
}

/** The events of entering an answer. Shared with browser stories, which send them to a real page. */
export function eventsFor(value: AnswerValue, hand: Hand, random: Rng): InteractionEvent[] {
  const targets = targetsOf(value, random);
  return hand.style === 'driver' ? drive(targets, hand, random) : person(targets, hand, random);
}

/** Where to press on the screen: the vertices of a drawing or the options of a form, then the submit button. */
function targetsOf(value: AnswerValue, random: Rng): Point[] {
  const submit: Point = [1180, 24];
  if (value.kind !== 'mask') {
    const options = value.kind === 'attributes' ? Object.values(value.choices).flat().length : 1;
    return [
      ...Array.from({ length: options }, (): Point => [random.between(760, 1100), random.between(90, 700)]),
      submit,
    ];
  }
  const drawn = value.shapes.flatMap((shape): Point[] => {
    const path = shape.kind === 'polygon' ? shape.outer : shape.kind === 'stroke' ? shape.points : [];
    return Array.from({ length: path.length / 2 }, (_, i) => [
      80 + SCREEN * (path[2 * i] as number),
      60 + SCREEN * (path[2 * i + 1] as number),
    ]);
  });
  return [...drawn, submit];
}

/** Roughly standard normal: the scaled sum of three uniform numbers, which every engine computes alike. */
const normal = (random: Rng): number => 2 * (random.next() + random.next() + random.next() - 1.5);

const logNormal = (median: number, sigma: number, random: Rng): number =>
  median * Math.exp(sigma * normal(random));

function person(targets: readonly Point[], hand: Hand, random: Rng): InteractionEvent[] {
  const { style } = hand;
  const events: InteractionEvent[] = [];
  let time = logNormal(1800, 0.6, random);
  let at: Point = [random.between(200, 900), random.between(100, 600)];
  const press = (place: Point, pointer: 'mouse' | 'touch') => {
    const [x, y] = place;
    events.push({ kind: 'down', time, x, y, pointer, isTrusted: true });
    time += logNormal(85, 0.25, random);
    events.push({ kind: 'up', time, x, y, pointer, isTrusted: true });
  };
  for (const target of targets) {
    if (random.bernoulli(0.06)) time += logNormal(2500, 0.7, random);
    if (style === 'keyboard') {
      const taps = random.integer(1, 6);
      for (let i = 0; i < taps; i++) {
        time += logNormal(i === 0 ? hand.gapMs : 160, i === 0 ? hand.sigma : 0.12, random);
        events.push({ kind: 'key', time, isTrusted: true });
      }
      continue;
    }
    time += logNormal(hand.gapMs, hand.sigma, random);
    if (style === 'mouse') {
      const moves = reachTo(at, target, hand, time, random);
      events.push(...moves);
      time = moves.at(-1)?.time ?? time;
      time += logNormal(70, 0.4, random);
    } else if (style === 'voice') {
      time += logNormal(1400, 0.35, random);
      events.push({ kind: 'move', time, x: target[0], y: target[1], pointer: 'mouse', isTrusted: true });
    }
    press(target, style === 'touch' ? 'touch' : 'mouse');
    at = target;
    if (random.bernoulli(0.04)) events.push({ kind: 'wheel', time, isTrusted: true });
    if (random.bernoulli(0.05)) events.push({ kind: 'key', time: time + 200, isTrusted: true });
  }
  return events;
}

/** A movement with the bell-shaped speed of minimum jerk (Flash and Hogan 1985), bent sideways, with a shaking hand. */
export function reachTo(from: Point, to: Point, hand: Hand, start: number, random: Rng): InteractionEvent[] {
  const { shake, frameMs } = hand;
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
  const distance = Math.hypot(dx, dy);
  // Fitts 1954, with a target of eight pixels.
  const durationMs = (110 + 95 * Math.log2(1 + distance / 8)) * random.between(0.8, 1.4);
  const frames = Math.max(2, Math.round(durationMs / frameMs));
  const bend = hand.bend * normal(random) * distance;
  const [across, along] = [-dy / (distance || 1), dx / (distance || 1)];
  return Array.from({ length: frames }, (_, i): InteractionEvent => {
    const t = (i + 1) / frames;
    const done = t ** 3 * (10 - 15 * t + 6 * t ** 2);
    const side = bend * Math.sin(Math.PI * done) + (t < 1 ? 0.5 * shake * normal(random) : 0);
    const x = Math.round(from[0] + dx * done + across * side);
    const y = Math.round(from[1] + dy * done + along * side);
    const time = start + (i + 1) * frameMs + random.between(-1, 1);
    return { kind: 'move', time, x, y, pointer: 'mouse', isTrusted: true };
  });
}

/** Drivers interpolate straight lines and wait equally long; the browser marks their events as trusted. */
function drive(targets: readonly Point[], { steps, jitter }: Hand, random: Rng): InteractionEvent[] {
  const events: InteractionEvent[] = [];
  let time = 300 + random.between(0, 40);
  let at: Point = [0, 0];
  for (const [x, y] of targets) {
    time += 60 * random.between(1 - jitter, 1 + jitter);
    for (let step = 1; step <= steps; step++) {
      const share = step / steps;
      const place = { x: at[0] + (x - at[0]) * share, y: at[1] + (y - at[1]) * share };
      events.push({ kind: 'move', time, ...place, pointer: 'mouse', isTrusted: true });
      time += 4 + random.between(0, 1);
    }
    events.push({ kind: 'down', time, x, y, pointer: 'mouse', isTrusted: true });
    time += 10 + random.between(0, 1);
    events.push({ kind: 'up', time, x, y, pointer: 'mouse', isTrusted: true });
    at = [x, y];
  }
  return events;
}
