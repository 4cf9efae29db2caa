import type { Point } from '@/lib/core/geometry';
import type { ShapeOp } from '@/lib/core/mask';
import { cleanPath } from '../document/clean';
import { MAX_VERTICES, onGrid } from '../document/limits';
import { PointList } from '../document/point-list';
import type { Command } from '../history';
import { editorMessage } from '../messages';
import {
  defineTool,
  drawnLayer,
  type Outcome,
  type PointInput,
  screenPixels,
  type Tool,
  type ToolContext,
} from './tool';

type StrokeState =
  | { readonly name: 'idle' }
  | { readonly name: 'painting'; readonly points: PointList; readonly radius: number };

type StrokeConfig = Pick<Tool, 'key'> & {
  readonly op: ShapeOp;
  readonly command: Command['name'];
};

const idle: StrokeState = { name: 'idle' };

/** Paints while pressed; the release makes it one shape. */
function strokeTool(config: StrokeConfig): Omit<Tool<StrokeState>, 'id'> {
  return {
    key: config.key,
    cursor: 'none',
    draws: true,
    press: 'drag',
    idle,
    on(state, input, context) {
      if (input.type === 'down') return start(config, input, context);
      if (state.name === 'idle') return { state };
      if (input.type === 'move') return { state: paint(state, input.point, context) };
      if (input.type === 'up') return finish(config, paint(state, input.point, context), context);
      return { state };
    },
    preview: (state) =>
      state.name === 'idle'
        ? []
        : [{ kind: 'stroke', op: config.op, points: state.points.flat(), radius: state.radius }],
  };
}

function start(config: StrokeConfig, input: PointInput, context: ToolContext): Outcome<StrokeState> {
  const empty = !drawnLayer(context)?.shapes.length;
  if (config.op === 'erase' && empty)
    return { state: idle, announce: editorMessage('nothingToErase', { label: context.labelName }) };
  const points = PointList.empty.append(onGrid(input.point[0]), onGrid(input.point[1]));
  return { state: { name: 'painting', points, radius: context.settings.brushRadius } };
}

type Painting = Extract<StrokeState, { name: 'painting' }>;

/** Points nearer than a screen pixel, or than a tenth of the radius, would not change what is seen. */
function paint(state: Painting, point: Point, context: ToolContext): Painting {
  const [x, y] = [onGrid(point[0]), onGrid(point[1])];
  const [lastX, lastY] = state.points.at(-1) as Point;
  const least = Math.max(screenPixels(1, context), state.radius / 10);
  if (Math.hypot(x - lastX, y - lastY) < least || state.points.length >= MAX_VERTICES) return state;
  return { ...state, points: state.points.append(x, y) };
}

function finish(config: StrokeConfig, state: Painting, context: ToolContext): Outcome<StrokeState> {
  const points = cleanPath(state.points.flat());
  return {
    state: idle,
    command: {
      name: config.command,
      message: editorMessage(config.op === 'add' ? 'painted' : 'erased', { radius: state.radius }),
      edits: [
        {
          kind: 'insert',
          label: context.label,
          shapes: [{ kind: 'stroke', op: config.op, points, radius: state.radius }],
        },
      ],
    },
  };
}

export const brush = defineTool({
  id: 'brush',
  ...strokeTool({
    key: 'B',
    op: 'add',
    command: 'paint',
  }),
});

export const eraser = defineTool({
  id: 'eraser',
  ...strokeTool({
    key: 'E',
    op: 'erase',
    command: 'erase',
  }),
});
