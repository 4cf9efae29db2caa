import type { Point } from '@/lib/core/geometry';
import { snapPoint } from '../snap';
import { isDrag, type Outcome, type PointInput, type Preview, type Tool, type ToolContext } from '../tool';

export type TwoPointState =
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

export type TwoPointConfig = Pick<Tool, 'key'> & {
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
