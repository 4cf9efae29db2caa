import type { Point } from '@/lib/core/geometry';
import { layerOf, withLayer } from '../document/document';
import { redo, undo } from '../history';
import { editorMessage, toolName } from '../messages';
import { noSelection, stillThere } from '../selection';
import { type ToolId, toolOf } from '../tools';
import type { PointInput, ToolInput, ToolState } from '../tools/tool';
import { toImage, toScreen } from '../view/camera';
import { isLocked, reveal } from '../view/view';
import { commit } from './commit';
import { announce, contextOf, type EditorState, isIdle, nameOf, refuse, type Step, stay } from './state';

/** Hands an input to the current tool and does what it answers. */
export function feedTool(state: EditorState, input: ToolInput): Step {
  const outcome = toolOf(state.tool).on(state.toolState, input, contextOf(state));
  const { announce: message, isRefused } = outcome;
  const said = message === undefined ? [] : [isRefused ? refuse(message) : announce(message)];
  const asked = outcome.ask ? [{ kind: 'ask', request: outcome.ask } as const] : [];
  if (!outcome.command) {
    return { state: withOutcome(state, outcome.state, outcome), effects: [...said, ...asked] };
  }
  const committed = commit(state, outcome.command);
  if (!committed.ok) return stay(afterRefusal(state), refuse(committed.problem));
  const { step } = committed;
  const after = withOutcome(step.state, outcome.state, outcome);
  // What is committed must not come back when the press is taken for a pinch.
  const press = after.press && { ...after.press, before: outcome.state };
  return { state: { ...after, press }, effects: [...step.effects, ...said, ...asked] };
}

function withOutcome(
  state: EditorState,
  toolState: ToolState,
  { selection, camera }: { selection?: EditorState['selection']; camera?: EditorState['view']['camera'] },
): EditorState {
  return {
    ...state,
    toolState,
    selection: selection ? stillThere(selection, state.document) : state.selection,
    view: camera ? { ...state.view, camera } : state.view,
  };
}

/** A refused outline stays as it is, to be shortened or given up; a refused drag is over. */
function afterRefusal(state: EditorState): EditorState {
  const tool = toolOf(state.tool);
  return tool.resume ? state : { ...state, toolState: tool.idle };
}

/** An input for the tool at an image point. */
export function pointInput(
  state: EditorState,
  type: PointInput['type'],
  point: Point,
  more: Pick<PointInput, 'shift' | 'opposite' | 'clicks' | 'time'>,
): PointInput {
  return {
    type,
    point,
    screen: toScreen(state.view.camera, point),
    ...more,
  };
}

/** Starts a press, unless the label may not be drawn on. */
export function pressTool(state: EditorState, by: number | 'keyboard', input: PointInput): Step {
  if (toolOf(state.tool).draws) {
    if (state.settings.readOnly) return stay(state, refuse(editorMessage('readOnly')));
    if (isLocked(state.view, state.label))
      return stay(state, refuse(editorMessage('locked', { label: nameOf(state, state.label) })));
  }
  const view = toolOf(state.tool).draws ? reveal(state.view, state.label) : state.view;
  return feedTool({ ...state, view, press: { by, before: state.toolState } }, input);
}

/** As if the press had not been: two fingers came down, or the browser took the pointer away. */
export function takeBackPress(state: EditorState): EditorState {
  return state.press ? { ...state, toolState: state.press.before, press: undefined } : state;
}

/** From every state of every tool back to idle; a second time it clears the selection. */
export function cancel(state: EditorState): Step {
  if (!isIdle(state)) return stay(giveUp(state), announce(editorMessage('cancelled')));
  return stay({ ...state, press: undefined, panning: undefined, selection: noSelection });
}

/** Leaves the gesture, and keeps its outline for redo. */
export function giveUp(state: EditorState): EditorState {
  const tool = toolOf(state.tool);
  const points = tool.unfinished?.(state.toolState);
  const abandoned = points && points.length > 0 ? { tool: state.tool, points } : state.abandoned;
  return { ...state, toolState: tool.idle, press: undefined, abandoned };
}

export function chooseTool(state: EditorState, tool: ToolId): Step {
  const left = isIdle(state) ? state : giveUp(state);
  return stay(
    { ...left, tool, toolState: toolOf(tool).idle, press: undefined, lastClick: undefined },
    announce(toolName(tool)),
  );
}

/** The unfinished gesture is the top entry of the history; after the last undo the tool stays. */
export function undoStep(state: EditorState): Step {
  if (!isIdle(state)) return takeBack(state, 'undo');
  if (state.settings.readOnly) return stay(state, refuse(editorMessage('readOnly')));
  const move = undo(state.history);
  if (!move) return stay(state, refuse(editorMessage('nothingToUndo')));
  const { command, before, instance } = move.entry;
  return travelled({ ...state, instance }, move.history, before, 'undo', command);
}

export function redoStep(state: EditorState): Step {
  if (!isIdle(state)) return feedTool(state, { type: 'redo' });
  if (state.settings.readOnly) return stay(state, refuse(editorMessage('readOnly')));
  const { abandoned } = state;
  if (abandoned?.tool === state.tool) return resumeOutline(state, abandoned.tool, abandoned.points);
  const move = redo(state.history);
  if (!move) return stay(state, refuse(editorMessage('nothingToRedo')));
  const { command, after, instance } = move.entry;
  return travelled({ ...state, instance }, move.history, after, 'redo', command);
}

/** One vertex or one step; a tool that has no steps gives up the gesture as a whole. */
export function takeBack(state: EditorState, type: 'undo' | 'back'): Step {
  const step = feedTool(state, { type });
  if (step.state.toolState === state.toolState)
    return stay(giveUp(state), announce(editorMessage('takenBack')));
  return isIdle(step.state) ? { ...step, state: giveUp(state) } : step;
}

export function resumeOutline(state: EditorState, id: ToolId, points: ArrayLike<number>): Step {
  const tool = toolOf(id);
  const ready = { ...state, tool: id };
  if (!tool.resume || points.length < 2) return stay(state);
  const toolState = tool.resume(points, contextOf(ready));
  return stay(
    { ...ready, toolState, press: undefined, abandoned: undefined },
    announce(editorMessage('outlineResumed', { count: points.length / 2 })),
  );
}

function travelled(
  state: EditorState,
  history: EditorState['history'],
  then: EditorState['document'],
  way: 'undo' | 'redo',
  command: Parameters<typeof commit>[1],
): Step {
  // The other targets have histories of their own and stay as they are now.
  const layer = state.targets ? layerOf(then, state.label) : undefined;
  const document = layer ? withLayer(state.document, layer) : then;
  return stay(
    {
      ...state,
      history,
      document,
      selection: stillThere(state.selection, document),
      abandoned: undefined,
    },
    { kind: 'commit', way, command, document },
    announce(editorMessage(way === 'undo' ? 'undone' : 'redone', { what: command.message })),
  );
}

export function imagePoint(state: EditorState, x: number, y: number, space: 'screen' | 'image'): Point {
  return space === 'image' ? [x, y] : toImage(state.view.camera, [x, y]);
}
