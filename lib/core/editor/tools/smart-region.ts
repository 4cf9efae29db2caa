import type { Shape } from '@/lib/core/mask';
import type { AssistKind } from '@/lib/core/quality/answer';
import { onGrid } from '../document/limits';
import { PointList } from '../document/point-list';
import { editorMessage } from '../messages';
import { acceptSuggestion } from './smart-outline';
import {
  defineTool,
  type Outcome,
  type PointInput,
  type Scribble,
  type SuggestionInput,
  type ToolContext,
} from './tool';

type Asked = { readonly scribbles: readonly Scribble[]; readonly request: number };
type Timed = Asked & { readonly askedAt: number };

type SmartRegionState =
  | { readonly name: 'idle' }
  | ({ readonly name: 'scribbling'; readonly points: PointList; readonly op: Scribble['op'] } & Asked)
  | ({ readonly name: 'waiting' } & Timed)
  | ({
      readonly name: 'reviewing';
      readonly shapes: readonly Shape[];
      readonly assist: AssistKind;
      readonly model: string | null;
      readonly shownAt: number;
    } & Timed);

const idle: SmartRegionState = { name: 'idle' };

export const smartRegion = defineTool<'smart-region', SmartRegionState>({
  id: 'smart-region',
  key: 'C',
  cursor: 'crosshair',
  draws: true,
  press: 'drag',
  idle,
  on(state, input, context) {
    switch (input.type) {
      case 'down':
        return start(state, input);
      case 'move':
      case 'up':
        return state.name === 'scribbling' ? scribble(state, input) : { state };
      case 'suggestion':
        return show(state, input);
      case 'confirm':
        return state.name === 'reviewing' ? accept(state, input.time, context) : { state };
      default:
        return { state };
    }
  },
  preview(state) {
    if (state.name === 'idle') return [];
    const scribbles = state.name === 'scribbling' ? [...state.scribbles, current(state)] : state.scribbles;
    const lines = scribbles.map(({ points, op }) => ({ kind: 'stroke', op, points, radius: 2 }) as const);
    return state.name === 'reviewing' ? [{ kind: 'suggested', shapes: state.shapes }, ...lines] : lines;
  },
});

/** A further scribble refines: the earlier ones are asked again with it. */
function start(state: SmartRegionState, input: PointInput): Outcome<SmartRegionState> {
  const before = state.name === 'idle' ? { scribbles: [], request: 0 } : state;
  return {
    state: {
      name: 'scribbling',
      points: PointList.empty.append(onGrid(input.point[0]), onGrid(input.point[1])),
      op: input.shift ? 'erase' : 'add',
      scribbles: before.scribbles,
      request: before.request,
    },
  };
}

type Scribbling = Extract<SmartRegionState, { name: 'scribbling' }>;

function scribble(state: Scribbling, input: PointInput): Outcome<SmartRegionState> {
  const points = state.points.append(onGrid(input.point[0]), onGrid(input.point[1]));
  if (input.type === 'move') return { state: { ...state, points } };
  const scribbles = [...state.scribbles, current(state)];
  const request = state.request + 1;
  return {
    state: { name: 'waiting', scribbles, request, askedAt: input.time },
    ask: { kind: 'region', request, scribbles },
    announce: editorMessage('looking'),
  };
}

function current({ points, op }: Scribbling): Scribble {
  return { points: points.flat(), op };
}

/** Request 0 is nobody's: a prediction offered while nothing is going on. Late answers are ignored. */
function show(state: SmartRegionState, input: SuggestionInput): Outcome<SmartRegionState> {
  const asked = state.name === 'waiting' ? state : { scribbles: [], request: 0, askedAt: input.time };
  const expected = state.name === 'waiting' || state.name === 'idle';
  if (!expected || input.request !== asked.request) return { state };
  if (input.shapes.length === 0)
    return {
      state: idle,
      announce: input.problem ?? editorMessage('scribbleMore'),
    };
  const { shapes, assist, model = null, time } = input;
  return {
    state: { ...asked, name: 'reviewing', shapes, assist, model, shownAt: time },
    announce: editorMessage('suggestionShown'),
  };
}

function accept(
  state: Extract<SmartRegionState, { name: 'reviewing' }>,
  time: number,
  { label }: ToolContext,
): Outcome<SmartRegionState> {
  const { assist, model, shapes, scribbles, askedAt, shownAt } = state;
  const clicks = Math.max(1, scribbles.length);
  const use = { kind: assist, model, clicks, shownMs: shownAt - askedAt, latencyMs: time - shownAt };
  return { state: idle, command: acceptSuggestion(label, shapes, use) };
}
