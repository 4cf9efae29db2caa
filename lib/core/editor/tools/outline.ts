import { cutLoops, type Path, type Point, pathCrossing, ringCrossing } from '@/lib/core/geometry';
import type { ShapeOp } from '@/lib/core/mask';
import { cleanRing } from '../document/clean';
import { MAX_VERTICES } from '../document/limits';
import { PointList } from '../document/point-list';
import type { Command } from '../history';
import { simplifyPath } from '../livewire/simplify-path';
import { type EditorMessage, editorMessage, toolName } from '../messages';
import { snapPoint } from './snap';
import {
  isDrag,
  type Outcome,
  type PointInput,
  type Preview,
  screenPixels,
  type Tool,
  type ToolContext,
  type ToolInput,
} from './tool';

/** An unfinished outline. A step is what one press added: a vertex, a traced border, a freehand run. */
type OutlineDraft = {
  readonly points: PointList;
  /** Number of points at the start of each step. */
  readonly steps: readonly number[];
  /** Steps taken back, latest last. */
  readonly undone: readonly Float64Array[];
  /** When the first press was; unknown for an outline from a stored draft until it goes on. */
  readonly since: number | undefined;
};

const emptyDraft: OutlineDraft = { points: PointList.empty, steps: [], undone: [], since: undefined };

function addStep(draft: OutlineDraft, path: Path): OutlineDraft {
  return {
    points: draft.points.appendAll(path),
    steps: [...draft.steps, draft.points.length],
    undone: [],
    since: draft.since,
  };
}

/** Goes on with the last step: the next point of a freehand run. */
function extendStep(draft: OutlineDraft, [x, y]: Point): OutlineDraft {
  return { ...draft, points: draft.points.append(x, y), undone: [] };
}

/** The points of the last step, replaced by fewer. */
function replaceStep(draft: OutlineDraft, path: Path): OutlineDraft {
  const start = draft.steps.at(-1) ?? 0;
  return { ...draft, points: draft.points.take(start).appendAll(path) };
}

function takeBackVertex(draft: OutlineDraft): OutlineDraft {
  return takeBackTo(draft, draft.points.length - 1);
}

function takeBackStep(draft: OutlineDraft): OutlineDraft {
  return takeBackTo(draft, draft.steps.at(-1) ?? 0);
}

function bringBackStep(draft: OutlineDraft): OutlineDraft {
  const step = draft.undone.at(-1);
  if (!step) return draft;
  return { ...addStep(draft, step), undone: draft.undone.slice(0, -1) };
}

function takeBackTo(draft: OutlineDraft, length: number): OutlineDraft {
  if (draft.points.length === 0) return draft;
  const at = Math.max(0, length);
  return {
    points: draft.points.take(at),
    steps: draft.steps.filter((start) => start < at),
    undone: [...draft.undone, draft.points.flat(at)],
    since: draft.since,
  };
}

/** The path from the last vertex to a point, without the former and with the latter. */
export type Connect = (to: Point, longer: boolean, context: ToolContext) => Float64Array;

type Unfinished = { readonly draft: OutlineDraft; readonly connect: Connect };

type OutlineState =
  | { readonly name: 'idle' }
  /** Pressed and not moved: a vertex was placed, a drag from here would draw freehand. */
  | ({ readonly name: 'pointing'; readonly pressedAt: number; readonly before: OutlineState } & Unfinished)
  /** A finger that rested first: the vertex follows it until it is lifted, to be placed exactly. */
  | ({ readonly name: 'placing'; readonly before: OutlineState } & Unfinished)
  | ({ readonly name: 'tracing' } & Unfinished)
  /** Between presses; `next` leads from the last vertex to the pointer. */
  | ({ readonly name: 'drawing'; readonly next: Path; readonly crossing?: Point } & Unfinished);

type OutlineConfig = Pick<Tool, 'id' | 'key'> & {
  readonly op: ShapeOp;
  readonly snaps: boolean;
  readonly connectFrom: (from: Point, context: ToolContext) => Connect;
  readonly finish: (
    ring: Float64Array,
    message: EditorMessage,
    context: ToolContext,
    effort: Effort,
  ) => Command;
};

/** What an outline took: presses, and milliseconds from the first to the last. */
type Effort = { readonly presses: number; readonly ms: number };

/** Shortest step of a freehand run, in screen pixels. */
const FREEHAND_STEP = 3;
/** A finger that rests this long before it moves places a vertex, in ms. */
const REST_MS = 300;
/** How far a freehand run may lie from the hand's path after it is simplified, in screen pixels. */
const FREEHAND_TOLERANCE = 0.75;
/** A loop with at most this share of the outline's area is a slip of the hand and cut off. */
const SLIP = 0.02;
/** Beyond so many vertices a crossing is looked for at the end only, not with every move. */
const MAX_LIVE_VERTICES = 2000;

const idle: OutlineState = { name: 'idle' };

/** Click for a vertex, drag to draw freehand; the first vertex, Enter or a double click closes. */
export function outlineTool(config: OutlineConfig): Omit<Tool<OutlineState>, 'id'> {
  return {
    key: config.key,
    cursor: 'crosshair',
    draws: true,
    press: 'click',
    idle,
    on: (state, input, context) => step(config, state, input, context),
    preview: (state) => (state.name === 'idle' ? [] : [outlinePreview(config.op, state)]),
    unfinished: (state) => (state.name === 'idle' ? undefined : state.draft.points.flat()),
    resume: (points, context) => resting(config, addStep(emptyDraft, points), context),
  };
}

function outlinePreview(op: ShapeOp, state: Exclude<OutlineState, { name: 'idle' }>): Preview {
  const points = state.draft.points.flat();
  const next = state.name === 'drawing' ? state.next : [];
  const refusedAt = state.name === 'drawing' ? state.crossing : undefined;
  const crossing = refusedAt ?? liveCrossing(state.draft, points, next);
  return { kind: 'outline', op, points, next, ...(crossing && { crossing }) };
}

const crossings = new WeakMap<OutlineDraft, Point | undefined>();

function liveCrossing(draft: OutlineDraft, points: Float64Array, next: Path): Point | undefined {
  if (draft.points.length > MAX_LIVE_VERTICES) return undefined;
  if (!crossings.has(draft)) crossings.set(draft, pathCrossing(points));
  return (
    crossings.get(draft) ?? (next.length > 0 ? pathCrossing([...points, ...Array.from(next)]) : undefined)
  );
}

function step(
  config: OutlineConfig,
  state: OutlineState,
  input: ToolInput,
  context: ToolContext,
): Outcome<OutlineState> {
  switch (input.type) {
    case 'down':
      return press(config, state, input, context);
    case 'move':
      return move(config, state, input, context);
    case 'up':
      return release(config, state, input, context);
    case 'confirm':
      return state.name === 'idle' ? { state } : finish(config, state, context, input.time);
    case 'back':
      return state.name === 'idle' ? { state } : rewound(config, takeBackVertex(state.draft), context);
    case 'undo':
      return state.name === 'idle' ? { state } : rewound(config, takeBackStep(state.draft), context);
    case 'redo':
      return state.name === 'idle' ? { state } : rewound(config, bringBackStep(state.draft), context);
    default:
      return { state };
  }
}

function press(
  config: OutlineConfig,
  state: OutlineState,
  input: PointInput,
  context: ToolContext,
): Outcome<OutlineState> {
  if (state.name !== 'idle' && state.draft.points.length >= 3) {
    if (input.clicks === 2 || closes(state.draft, input.point, context))
      return finish(config, state, context, input.time);
  }
  return placed(config, state, input, context);
}

/** One more vertex at the pointer. */
function placed(
  config: OutlineConfig,
  state: OutlineState,
  input: PointInput,
  context: ToolContext,
): Outcome<OutlineState> {
  const point = config.snaps ? snapPoint(input.point, context).point : snapFree(input.point, context);
  const draft = state.name === 'idle' ? emptyDraft : state.draft;
  const since = draft.since ?? input.time;
  const press = { before: state, pressedAt: input.time };
  if (state.name === 'idle') return pointing(config, { ...addStep(draft, point), since }, press, context);
  const path = state.connect(point, input.shift, context);
  if (draft.points.length + path.length / 2 > MAX_VERTICES) return { state, announce: tooMany };
  return pointing(config, { ...addStep(draft, path), since }, press, context);
}

function pointing(
  config: OutlineConfig,
  draft: OutlineDraft,
  press: { before: OutlineState; pressedAt: number },
  context: ToolContext,
): Outcome<OutlineState> {
  return {
    state: { name: 'pointing', ...press, draft, connect: connectLast(config, draft, context) },
    announce: editorMessage('point', { number: draft.points.length, label: context.labelName }),
  };
}

function move(
  config: OutlineConfig,
  state: OutlineState,
  input: PointInput,
  context: ToolContext,
): Outcome<OutlineState> {
  if (state.name === 'idle') return { state };
  if (state.name === 'drawing') {
    const to = config.snaps ? snapPoint(input.point, context).point : input.point;
    return { state: { ...state, next: state.connect(to, input.shift, context) } };
  }
  const last = state.draft.points.at(-1) as Point;
  if (state.name === 'pointing' && !isDrag(last, input.point, context)) return { state };
  const hasRested = state.name === 'pointing' && context.isTouch && input.time - state.pressedAt >= REST_MS;
  if (state.name === 'placing' || hasRested) {
    const moved = placed(config, state.before, input, context).state;
    if (moved.name !== 'pointing') return { state };
    const { draft, connect } = moved;
    return { state: { name: 'placing', before: state.before, draft, connect } };
  }
  const point = snapFree(input.point, context);
  const tooNear = Math.hypot(point[0] - last[0], point[1] - last[1]) < screenPixels(FREEHAND_STEP, context);
  if (tooNear) return { state };
  if (state.draft.points.length >= MAX_VERTICES) return { state, announce: tooMany };
  return { state: { name: 'tracing', draft: extendStep(state.draft, point), connect: state.connect } };
}

function release(
  config: OutlineConfig,
  state: OutlineState,
  input: PointInput,
  context: ToolContext,
): Outcome<OutlineState> {
  if (state.name === 'tracing') {
    const isClosing = state.draft.points.length >= 3 && closes(state.draft, input.point, context);
    const draft = simplified(state.draft, context);
    if (isClosing) return finish(config, { ...state, draft }, context, input.time);
    return { state: resting(config, draft, context) };
  }
  if (state.name === 'pointing' || state.name === 'placing') {
    const { draft, connect } = state;
    return { state: { name: 'drawing', draft, connect, next: [] } };
  }
  return { state };
}

/** A freehand run keeps the points that matter: a circle of 192 points is the same with 30. */
function simplified(draft: OutlineDraft, context: ToolContext): OutlineDraft {
  const run = draft.points.flat(draft.steps.at(-1) ?? 0);
  return replaceStep(draft, simplifyPath(run, screenPixels(FREEHAND_TOLERANCE, context)));
}

function finish(
  config: OutlineConfig,
  state: Exclude<OutlineState, { name: 'idle' }>,
  context: ToolContext,
  time: number,
): Outcome<OutlineState> {
  const { points, steps, since = time } = state.draft;
  // The way back to the first vertex is connected like any other; the first vertex itself is there already.
  const way = state.connect(points.at(0) as Point, false, context);
  const ring = cutLoops(points.appendAll(way.subarray(0, way.length - 2)).flat(), SLIP);
  const crossing = ringCrossing(ring);
  if (crossing)
    return {
      state: { ...resting(config, state.draft, context), crossing },
      announce: editorMessage('crossesItself'),
      isRefused: true,
    };
  const clean = cleanRing(ring);
  if (!clean) return { state, announce: editorMessage('needsThreePoints') };
  const drawn = { tool: toolName(config.id), count: clean.ring.length / 2 };
  const message =
    clean.dropped > 0
      ? editorMessage('drawnAndCleaned', { ...drawn, removed: clean.dropped })
      : editorMessage('drawn', drawn);
  const effort = { presses: steps.length, ms: time - since };
  return { state: idle, command: config.finish(clean.ring, message, context, effort) };
}

function rewound(config: OutlineConfig, draft: OutlineDraft, context: ToolContext): Outcome<OutlineState> {
  if (draft.points.length === 0) return { state: idle, announce: editorMessage('outlineTakenBack') };
  return {
    state: resting(config, draft, context),
    announce: editorMessage('points', { count: draft.points.length, label: context.labelName }),
  };
}

function resting(
  config: OutlineConfig,
  draft: OutlineDraft,
  context: ToolContext,
): Extract<OutlineState, { name: 'drawing' }> {
  return { name: 'drawing', draft, connect: connectLast(config, draft, context), next: [] };
}

function connectLast(config: OutlineConfig, draft: OutlineDraft, context: ToolContext): Connect {
  return config.connectFrom(draft.points.at(-1) ?? [0, 0], context);
}

function closes(draft: OutlineDraft, [x, y]: Point, context: ToolContext): boolean {
  const [firstX, firstY] = draft.points.at(0) as Point;
  return Math.hypot(x - firstX, y - firstY) <= screenPixels(context.reach, context);
}

function snapFree(point: Point, context: ToolContext): Point {
  return snapPoint(point, { ...context, snapping: false }).point;
}

const tooMany = editorMessage('tooManyPoints', { limit: MAX_VERTICES });
