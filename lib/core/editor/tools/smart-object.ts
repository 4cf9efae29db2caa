import type { Point } from '@/lib/core/geometry';
import type { Shape } from '@/lib/core/mask';
import { onGrid } from '../document/limits';
import { editorMessage } from '../messages';
import { acceptSuggestion } from './smart-outline';
import { boxBetween } from './snap';
import {
  defineTool,
  isDrag,
  type ObjectPrompt,
  type Outcome,
  type PointInput,
  type Preview,
  type PromptPoint,
  type SuggestionInput,
  type ToolContext,
} from './tool';

/** More clicks help no model, and the server takes no more. */
const MOST_POINTS = 64;

/** One more click. It corrects a box, and takes the place of what was found without being shown. */
function withPoint(before: ObjectPrompt | undefined, [x, y]: Point, include: boolean): ObjectPrompt {
  const point: PromptPoint = { x: onGrid(x), y: onGrid(y), include };
  if (!before || !('points' in before)) return { kind: 'point', points: [point] };
  return { ...before, points: [...before.points, point] };
}

/** A box says anew what is meant. */
function boxPrompt(from: Point, to: Point): ObjectPrompt {
  const [x, y, width, height] = boxBetween(from, to);
  return { kind: 'box', box: [onGrid(x), onGrid(y), onGrid(width), onGrid(height)], points: [] };
}

function pointsOf(prompt: ObjectPrompt): readonly PromptPoint[] {
  return 'points' in prompt ? prompt.points : [];
}

/** What the person had to do for it. */
function clicksOf(prompt: ObjectPrompt): number {
  return pointsOf(prompt).length + (prompt.kind === 'point' ? 0 : 1);
}

/** A suggestion and what led to it. */
type Shown = {
  readonly prompt: ObjectPrompt;
  readonly shapes: readonly Shape[];
  readonly model: string | null;
  readonly askedAt: number;
  readonly shownAt: number;
};

/** Every suggestion so far, latest last: Backspace goes back to the one before, without asking again. */
type Kept = { readonly shown: readonly Shown[]; readonly request: number };

type SmartObjectState =
  | { readonly name: 'idle' }
  /** Pressed and not moved: a click, if it ends here. */
  | ({ readonly name: 'pointing'; readonly from: Point; readonly include: boolean } & Kept)
  | ({ readonly name: 'boxing'; readonly from: Point; readonly to: Point } & Kept)
  | ({ readonly name: 'waiting'; readonly prompt: ObjectPrompt; readonly askedAt: number } & Kept)
  | ({ readonly name: 'reviewing' } & Kept);

const idle: SmartObjectState = { name: 'idle' };
const nothingKept: Kept = { shown: [], request: 0 };

/** Shows an object to a trained model and reviews what the model takes it for. */
export const smartObject = defineTool<'smart-object', SmartObjectState>({
  id: 'smart-object',
  key: 'D',
  cursor: 'crosshair',
  draws: true,
  press: 'click',
  takesOpposite: true,
  idle,
  on(state, input, context) {
    switch (input.type) {
      case 'down':
        return press(state, input);
      case 'move':
        return move(state, input, context);
      case 'up':
        return release(state, input);
      case 'main-object':
      case 'model-outline':
        return ask(keptOf(state), { kind: input.type }, input.time);
      case 'suggestion':
        return state.name === 'waiting' ? show(state, input) : { state };
      case 'confirm':
        return state.name === 'reviewing' ? accept(state, input.time, context) : { state };
      case 'back':
      case 'undo':
        return { state: takeBack(state) };
      default:
        return { state };
    }
  },
  preview: (state) => (state.name === 'idle' ? [] : [...suggestionOf(state), ...marksOf(state)]),
});

type Active = Exclude<SmartObjectState, { name: 'idle' }>;

function keptOf(state: SmartObjectState): Kept {
  return state.name === 'idle' ? nothingKept : { shown: state.shown, request: state.request };
}

/** What a further click adds to: a question that is still open, or the suggestion on the screen. */
function promptOf(state: SmartObjectState): ObjectPrompt | undefined {
  if (state.name === 'idle') return undefined;
  return state.name === 'waiting' ? state.prompt : state.shown.at(-1)?.prompt;
}

function press(state: SmartObjectState, input: PointInput): Outcome<SmartObjectState> {
  const include = !(input.shift || input.opposite);
  return { state: { ...keptOf(state), name: 'pointing', from: input.point, include } };
}

function move(state: SmartObjectState, input: PointInput, context: ToolContext): Outcome<SmartObjectState> {
  if (state.name === 'boxing') return { state: { ...state, to: input.point } };
  if (state.name !== 'pointing' || !state.include || !isDrag(state.from, input.point, context))
    return { state };
  return { state: { ...keptOf(state), name: 'boxing', from: state.from, to: input.point } };
}

function release(state: SmartObjectState, input: PointInput): Outcome<SmartObjectState> {
  const kept = keptOf(state);
  if (state.name === 'boxing') {
    const prompt = boxPrompt(state.from, input.point);
    const isFlat = prompt.kind === 'box' && (prompt.box[2] === 0 || prompt.box[3] === 0);
    return isFlat
      ? { state: resting(kept), announce: editorMessage('boxEmpty') }
      : ask(kept, prompt, input.time);
  }
  if (state.name !== 'pointing') return { state };
  const prompt = withPoint(promptOf(state), state.from, state.include);
  if (pointsOf(prompt).length > MOST_POINTS)
    return { state: resting(kept), announce: editorMessage('noMoreClicks') };
  if (!pointsOf(prompt).some(({ include }) => include) && prompt.kind === 'point')
    return { state: resting(kept), announce: editorMessage('clickObjectFirst') };
  return ask(kept, prompt, input.time);
}

function ask(kept: Kept, prompt: ObjectPrompt, time: number): Outcome<SmartObjectState> {
  const request = kept.request + 1;
  return {
    state: { name: 'waiting', shown: kept.shown, request, prompt, askedAt: time },
    ask: { kind: 'object', request, prompt },
    announce: editorMessage(prompt.kind === 'model-outline' ? 'fetchingOutline' : 'looking'),
  };
}

/** Late answers to earlier questions are ignored. */
function show(
  state: Extract<SmartObjectState, { name: 'waiting' }>,
  input: SuggestionInput,
): Outcome<SmartObjectState> {
  if (input.request !== state.request) return { state };
  const kept = keptOf(state);
  if (input.shapes.length === 0)
    return {
      state: resting(kept),
      announce: input.problem ?? editorMessage('clickElsewhere'),
    };
  const { prompt, askedAt } = state;
  const shown = { prompt, askedAt, shapes: input.shapes, model: input.model ?? null, shownAt: input.time };
  return {
    state: { name: 'reviewing', request: kept.request, shown: [...kept.shown, shown] },
    announce: editorMessage('suggestionToCorrect'),
  };
}

function accept(
  state: Extract<SmartObjectState, { name: 'reviewing' }>,
  time: number,
  { label }: ToolContext,
): Outcome<SmartObjectState> {
  const last = state.shown.at(-1);
  if (!last) return { state: idle };
  const { prompt, shapes, model, askedAt, shownAt } = last;
  const clicks = clicksOf(prompt);
  const use = { kind: prompt.kind, model, clicks, shownMs: shownAt - askedAt, latencyMs: time - shownAt };
  return { state: idle, command: acceptSuggestion(label, shapes, use) };
}

function takeBack(state: SmartObjectState): SmartObjectState {
  if (state.name === 'idle') return state;
  const { shown, request } = keptOf(state);
  return resting({ request, shown: state.name === 'reviewing' ? shown.slice(0, -1) : shown });
}

/** The request number goes on counting while anything is kept, so that no late answer is taken for a new one. */
function resting(kept: Kept): SmartObjectState {
  return kept.shown.length === 0 ? idle : { name: 'reviewing', ...kept };
}

function suggestionOf({ shown }: Active): Preview[] {
  const last = shown.at(-1);
  return last ? [{ kind: 'suggested', shapes: last.shapes }] : [];
}

/** Each click as a dot, white where it excludes. */
function marksOf(state: Active): Preview[] {
  const prompt = promptOf(state);
  const marks = (prompt ? pointsOf(prompt) : []).map(
    ({ x, y, include }): Preview => ({
      kind: 'outline',
      op: include ? 'add' : 'erase',
      points: [x, y],
      next: [],
    }),
  );
  const box =
    state.name === 'boxing' ? boxBetween(state.from, state.to) : prompt?.kind === 'box' && prompt.box;
  return box ? [{ kind: 'box', box }, ...marks] : marks;
}
