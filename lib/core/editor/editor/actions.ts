import { type AnnotationDocument, findShape, layerOf, type ShapeId } from '../document/document';
import { instanceOf } from '../document/instances';
import type { Command } from '../history';
import { editorMessage } from '../messages';
import { noSelection, selectShapes } from '../selection';
import { withBrushRadius } from '../settings';
import type { ActionId } from '../shortcuts';
import { type ToolId, tools } from '../tools';
import { moveCommand } from '../tools/select';
import { editableShapes } from '../tools/snap';
import { deletion, selectedPolygon } from '../tools/vertex';
import { actualSize, fitImage, zoomAt } from '../view/camera';
import {
  isEditable,
  toggleHidden,
  toggleLocked,
  toggleSolo,
  type ViewState,
  withOpacity,
} from '../view/view';
import { commit } from './commit';
import { confirm, moveCursor } from './cursor';
import { cancel, chooseTool, feedTool, redoStep, takeBack, undoStep } from './gesture';
import { deleteInstance, newInstance, separateSelection, stepInstance, toggleFlag } from './instances';
import {
  announce,
  contextOf,
  type EditorState,
  followedBy,
  isIdle,
  nameOf,
  refuse,
  type Step,
  stay,
} from './state';
import { chooseLabel, labelsOf } from './targets';

type Action = (state: EditorState, time: number) => Step;

const KEY_ZOOM = 1.25;
const OPACITY_STEP = 0.1;
const BRUSH_STEP = 1.2;
/** Image pixels of the far arrow keys. */
const FAR = 10;

const look =
  (change: (view: ViewState, state: EditorState) => ViewState): Action =>
  (state) =>
    stay({ ...state, view: change(state.view, state) });

const cursor =
  (dx: number, dy: number): Action =>
  (state, time) =>
    moveCursor(state, dx, dy, time);

const nudge =
  (dx: number, dy: number): Action =>
  (state) =>
    withSelection(state, (ids) => moveCommand(state.document, ids, [dx, dy]));

const brushSize =
  (factor: number): Action =>
  (state) => {
    const settings = withBrushRadius(state.settings, state.settings.brushRadius * factor);
    return stay(
      { ...state, settings },
      announce(editorMessage('brushRadius', { radius: settings.brushRadius })),
    );
  };

const zoomBy = (factor: number): Action =>
  look((view) => ({
    ...view,
    camera: zoomAt(view.camera, [view.viewport.width / 2, view.viewport.height / 2], factor),
  }));

const actions: Partial<Record<ActionId, Action>> = {
  undo: undoStep,
  redo: redoStep,
  cancel,
  confirm,
  back: (state) => (isIdle(state) ? stay(state) : takeBack(state, 'back')),
  delete: deleteSelection,
  nothing: askNothing,
  'main-object': askWithoutShowing('main-object'),
  'model-outline': askWithoutShowing('model-outline'),
  relabel: (state) =>
    withSelection(state, (ids) => ({
      name: 'relabel-shapes',
      message: editorMessage('relabelled', { label: nameOf(state, state.label) }),
      edits: [{ kind: 'relabel', ids, label: state.label, instance: state.instance }],
    })),
  'select-all': (state) =>
    stay({
      ...state,
      selection: selectShapes(
        (layerOf(state.document, state.label)?.shapes ?? [])
          .filter(
            ({ shape }) =>
              shape.op === 'add' &&
              instanceOf(shape) === state.instance &&
              isEditable(state.view, state.label),
          )
          .map(({ id }) => id),
      ),
    }),
  'new-instance': newInstance,
  'next-instance': (state) => stepInstance(state, 1),
  'previous-instance': (state) => stepInstance(state, -1),
  'delete-instance': deleteInstance,
  'separate-instance': separateSelection,
  'flag-occluded': (state) => toggleFlag(state, 'occluded'),
  'flag-truncated': (state) => toggleFlag(state, 'truncated'),
  'select-next': (state) => selectNeighbour(state, 1),
  'select-previous': (state) => selectNeighbour(state, -1),
  'cursor-left': cursor(-1, 0),
  'cursor-right': cursor(1, 0),
  'cursor-up': cursor(0, -1),
  'cursor-down': cursor(0, 1),
  'cursor-far-left': cursor(-FAR, 0),
  'cursor-far-right': cursor(FAR, 0),
  'cursor-far-up': cursor(0, -FAR),
  'cursor-far-down': cursor(0, FAR),
  'nudge-left': nudge(-1, 0),
  'nudge-right': nudge(1, 0),
  'nudge-up': nudge(0, -1),
  'nudge-down': nudge(0, 1),
  'brush-smaller': brushSize(1 / BRUSH_STEP),
  'brush-larger': brushSize(BRUSH_STEP),
  'zoom-in': zoomBy(KEY_ZOOM),
  'zoom-out': zoomBy(1 / KEY_ZOOM),
  fit: look((view, { document }) => ({ ...view, camera: fitImage(document, view.viewport) })),
  'actual-size': look((view) => ({ ...view, camera: actualSize(view.camera, view.viewport) })),
  'hide-label': look((view, { label }) => toggleHidden(view, label)),
  'lock-label': look((view, { label }) => toggleLocked(view, label)),
  'solo-label': look((view, { label }) => toggleSolo(view, label)),
  'outline-only': look((view) => ({ ...view, outlineOnly: !view.outlineOnly })),
  'less-opaque': look((view) => withOpacity(view, view.opacity - OPACITY_STEP)),
  'more-opaque': look((view) => withOpacity(view, view.opacity + OPACITY_STEP)),
  crosshair: look((view) => ({ ...view, crosshair: !view.crosshair })),
  before: look((view) => ({ ...view, showBefore: !view.showBefore })),
  snapping: (state) => {
    const snapping = !state.settings.snapping;
    return stay(
      { ...state, settings: { ...state.settings, snapping } },
      announce(editorMessage(snapping ? 'snappingOn' : 'snappingOff')),
    );
  },
};

/** What a button or a shortcut does; what the editor does not know of is the page's. */
export function reduceAction(state: EditorState, action: ActionId, time: number, isConfirmed = false): Step {
  if (action === 'nothing' && isConfirmed) return sayNothing(state);
  const known = actions[action];
  if (known) return known(state, time);
  const tool = tools.find(({ id }) => action === `tool-${id}`);
  if (tool) return chooseTool(state, tool.id as ToolId);
  const place = /^label-(\d)$/.exec(action)?.[1];
  if (place !== undefined) return chooseLabel(state, labelsOf(state)[Number(place) - 1]);
  return stay(state, { kind: 'action', action });
}

function deleteSelection(state: EditorState): Step {
  const polygon = selectedPolygon(contextOf(state));
  if (polygon && state.selection.vertices.length > 0) {
    const { command, announce: problem } = deletion(polygon, state.selection.vertices);
    if (!command) return stay(state, refuse(problem ?? editorMessage('nothingSelected')));
    return run({ ...state, selection: selectShapes([polygon.id]) }, command);
  }
  return withSelection(state, (ids) => ({
    name: 'delete-shapes',
    message: editorMessage('shapesDeleted', { count: ids.length }),
    edits: [...ids, ...idleErasures(state.document, ids)].map((id) => ({ kind: 'replace', id, shapes: [] })),
  }));
}

/** Erasures of instances that nothing else is left of: they cut nothing, cannot be picked up, and nobody sees them. */
function idleErasures(document: AnnotationDocument, deleted: readonly ShapeId[]): ShapeId[] {
  return document.layers.flatMap(({ shapes }) => {
    const touched = shapes.filter(({ id }) => deleted.includes(id)).map(({ shape }) => instanceOf(shape));
    const left = shapes.filter(({ id }) => !deleted.includes(id));
    const alive = new Set(left.flatMap(({ shape }) => (shape.op === 'add' ? [instanceOf(shape)] : [])));
    return left
      .filter(({ shape }) => touched.includes(instanceOf(shape)) && !alive.has(instanceOf(shape)))
      .map(({ id }) => id);
  });
}

/** Whoever drew something is asked first: one key must not delete a drawing. */
function askNothing(state: EditorState): Step {
  const layer = layerOf(state.document, state.label);
  const { confirmsNothing, readOnly } = state.settings;
  if (!confirmsNothing || readOnly || layer?.nothing || !layer?.shapes.length) return sayNothing(state);
  return stay(state, { kind: 'action', action: 'nothing' });
}

function sayNothing(state: EditorState): Step {
  const value = !layerOf(state.document, state.label)?.nothing;
  return run(value ? { ...state, instance: 1 } : state, {
    name: 'nothing-to-label',
    message: editorMessage(value ? 'nothingToLabel' : 'somethingToLabel', {
      label: nameOf(state, state.label),
    }),
    edits: [{ kind: 'nothing', label: state.label, value }],
  });
}

/** From any tool: what is found is looked at, and corrected, with the smart object tool. */
function askWithoutShowing(type: 'main-object' | 'model-outline'): Action {
  return (state, time) => {
    const chosen = state.tool === 'smart-object' ? stay(state) : chooseTool(state, 'smart-object');
    return followedBy(chosen, (ready) => feedTool(ready, { type, time }));
  };
}

function selectNeighbour(state: EditorState, by: 1 | -1): Step {
  const ids = editableShapes(state.document, state.view);
  const at = ids.indexOf(state.selection.shapes.at(-1) ?? -1);
  const next = ids[at < 0 ? (by > 0 ? 0 : ids.length - 1) : (at + by + ids.length) % ids.length];
  if (next === undefined)
    return stay({ ...state, selection: noSelection }, refuse(editorMessage('noShapes')));
  const label = findShape(state.document, next)?.layer.label ?? '';
  return stay(
    { ...state, selection: selectShapes([next]) },
    announce(
      editorMessage('shapeOf', {
        label: nameOf(state, label),
        number: ids.indexOf(next) + 1,
        total: ids.length,
      }),
    ),
  );
}

function withSelection(
  state: EditorState,
  command: (ids: EditorState['selection']['shapes']) => Command,
): Step {
  const ids = state.selection.shapes.filter((id) => {
    const found = findShape(state.document, id);
    return found && isEditable(state.view, found.layer.label);
  });
  return ids.length === 0 ? stay(state, refuse(editorMessage('nothingSelected'))) : run(state, command(ids));
}

function run(state: EditorState, command: Command): Step {
  const committed = commit(state, command);
  return committed.ok ? committed.step : stay(state, refuse(committed.problem));
}
