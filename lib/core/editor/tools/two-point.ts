import type { Point } from '@/lib/core/geometry';
import { cleanRing } from '../document/clean';
import { onGrid } from '../document/limits';
import type { CommandName } from '../history';
import { editorMessage, toolName } from '../messages';
import { snapPoint } from './snap';
import {
  defineTool,
  isDrag,
  type Outcome,
  type PointInput,
  type Preview,
  type Tool,
  type ToolContext,
} from './tool';

type TwoPointState =
  | { readonly name: 'idle' }
  | { readonly name: 'pointing'; readonly from: Point }
  /** By dragging, the release sets the second point; after a click, the next click does. */
  | {
      readonly name: 'sizing';
      readonly from: Point;
      readonly to: Point;
      readonly dragged: boolean;
      readonly even: boolean;
    };

type TwoPointConfig = Pick<Tool, 'key'> & {
  readonly preview: (from: Point, to: Point, even: boolean) => Preview;
  /** `even` while Shift is held. */
  readonly finish: (from: Point, to: Point, even: boolean, context: ToolContext) => Omit<Outcome, 'state'>;
};

const idle: TwoPointState = { name: 'idle' };

/** Drag from one point to the other, or click both. */
export function twoPointTool(config: TwoPointConfig): Omit<Tool<TwoPointState>, 'id'> {
  return {
    key: config.key,
    cursor: 'crosshair',
    draws: true,
    press: 'click',
    idle,
    on(state, input, context) {
      switch (input.type) {
        case 'down':
        case 'move':
        case 'up':
          return point(config, state, input, context);
        case 'confirm':
          return state.name === 'sizing' ? finish(config, state, context) : { state };
        default:
          return { state };
      }
    },
    preview: (state) => (state.name === 'sizing' ? [config.preview(state.from, state.to, state.even)] : []),
  };
}

function point(
  config: TwoPointConfig,
  state: TwoPointState,
  input: PointInput,
  context: ToolContext,
): Outcome<TwoPointState> {
  if (state.name === 'idle' && input.type !== 'down') return { state };
  const at = snapPoint(input.point, context).point;
  const sized = (from: Point, dragged: boolean) =>
    ({ name: 'sizing', from, to: at, dragged, even: input.shift }) as const;
  switch (state.name) {
    case 'idle':
      return { state: { name: 'pointing', from: at } };
    case 'pointing':
      if (input.type === 'up') return { state: sized(state.from, false) };
      return { state: isDrag(state.from, input.point, context) ? sized(state.from, true) : state };
    case 'sizing': {
      const next = sized(state.from, state.dragged);
      const ends = input.type === (state.dragged ? 'up' : 'down');
      return ends ? finish(config, next, context) : { state: next };
    }
  }
}

function finish(
  config: TwoPointConfig,
  { from, to, even }: Extract<TwoPointState, { name: 'sizing' }>,
  context: ToolContext,
): Outcome<TwoPointState> {
  return { ...config.finish(from, to, even, context), state: idle };
}

/** A computed ring as a new polygon of the current label. */
export function ringOutcome(
  name: CommandName,
  tool: string,
  ring: ArrayLike<number>,
  context: ToolContext,
): Omit<Outcome, 'state'> {
  const clean = cleanRing(ring);
  if (!clean) return { announce: editorMessage('tooSmall') };
  return {
    command: {
      name,
      message: editorMessage('drawn', { tool: toolName(tool), count: clean.ring.length / 2 }),
      edits: [
        {
          kind: 'insert',
          label: context.label,
          shapes: [{ kind: 'polygon', op: 'add', outer: clean.ring, holes: [] }],
        },
      ],
    },
  };
}

/** The second corner moved so that width and height are equal. */
export function evenCorner(
  [ax, ay]: readonly [number, number],
  [bx, by]: readonly [number, number],
): readonly [number, number] {
  const side = Math.max(Math.abs(bx - ax), Math.abs(by - ay));
  return [ax + (bx < ax ? -side : side), ay + (by < ay ? -side : side)];
}

/** How far an edge may stay inside of the true ellipse, in pixels: below what a pixel shows. */
const SAGITTA = 0.25;
const MIN_VERTICES = 12;
const MAX_VERTICES = 256;

/** Inscribed in the box of the two corners, clockwise on screen from its right. */
function ellipseRing(from: Point, to: Point, even: boolean): number[] {
  const [bx, by] = even ? evenCorner(from, to) : to;
  const centreX = (from[0] + bx) / 2;
  const centreY = (from[1] + by) / 2;
  const radiusX = Math.abs(bx - from[0]) / 2;
  const radiusY = Math.abs(by - from[1]) / 2;
  const count = vertexCount(Math.max(radiusX, radiusY));
  return Array.from({ length: 2 * count }, (_, i) => {
    const angle = (Math.PI * (i - (i % 2))) / count;
    return onGrid(i % 2 === 0 ? centreX + radiusX * Math.cos(angle) : centreY + radiusY * Math.sin(angle));
  });
}

function vertexCount(radius: number): number {
  if (radius <= SAGITTA) return MIN_VERTICES;
  return Math.min(MAX_VERTICES, Math.max(MIN_VERTICES, Math.ceil(Math.PI / Math.acos(1 - SAGITTA / radius))));
}

export const ellipse = defineTool({
  id: 'ellipse',
  ...twoPointTool({
    key: 'O',
    preview: (from, to, even) => ({ kind: 'ring', op: 'add', ring: ellipseRing(from, to, even) }),
    finish: (from, to, even, context) =>
      ringOutcome('draw-ellipse', 'ellipse', ellipseRing(from, to, even), context),
  }),
});

/** Clockwise on screen from the top left corner. */
function rectangleRing(from: Point, to: Point, even: boolean): number[] {
  const [bx, by] = even ? evenCorner(from, to) : to;
  const left = Math.min(from[0], bx);
  const right = Math.max(from[0], bx);
  const top = Math.min(from[1], by);
  const bottom = Math.max(from[1], by);
  return [left, top, right, top, right, bottom, left, bottom];
}

export const rectangle = defineTool({
  id: 'rectangle',
  ...twoPointTool({
    key: 'R',
    preview: (from, to, even) => ({ kind: 'ring', op: 'add', ring: rectangleRing(from, to, even) }),
    finish: (from, to, even, context) =>
      ringOutcome('draw-rectangle', 'rectangle', rectangleRing(from, to, even), context),
  }),
});
