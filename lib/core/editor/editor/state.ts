import type { Path, Point } from '@/lib/core/geometry';
import { type AnnotationDocument, layerOf } from '../document/document';
import { firstInstance } from '../document/instances';
import { emptyHistory, type History } from '../history';
import { withChoices } from '../key-press';
import type { EdgeCosts } from '../livewire/edge-costs';
import type { EditorMessage } from '../messages';
import { noSelection, type Selection } from '../selection';
import { defaultSettings, type EditorSettings } from '../settings';
import type { ActionId, Shortcut } from '../shortcuts';
import { type ToolId, toolOf } from '../tools';
import type { ToolContext, ToolState } from '../tools/tool';
import { defaultView, type ViewState } from '../view/view';
import type { Effect } from './input';

/** Who presses: a pointer by its id, or the Enter key. */
export type Press = {
  readonly by: number | 'keyboard';
  /** The tool's state before, to go back to when the press turns out to be something else. */
  readonly before: ToolState;
};

export type PointerKind = 'mouse' | 'pen' | 'touch';

export type Click = { readonly time: number; readonly screen: Point; readonly count: number };

export type EditorState = {
  readonly document: AnnotationDocument;
  readonly history: History;
  readonly view: ViewState;
  readonly settings: EditorSettings;
  readonly shortcuts: readonly Shortcut<ActionId>[];
  readonly label: string;
  /** The instance of the label that is drawn. It may be empty: then it is new. */
  readonly instance: number;
  /** Labels of which an object can have several instances. */
  readonly severalOf: ReadonlySet<string>;
  /** By the label of a sub-part, the label of the part that it belongs to. Both may cover the same pixels. */
  readonly wholes: ReadonlyMap<string, string>;
  /** The labels that are asked for. They are edited one at a time, each with its own history; null for no such rule. */
  readonly targets: readonly string[] | null;
  /** What is kept of the targets that are not being edited. */
  readonly parked: ReadonlyMap<string, ParkedTarget>;
  /** What a person calls the labels. */
  readonly names: ReadonlyMap<string, string>;
  readonly selection: Selection;
  readonly tool: ToolId;
  readonly toolState: ToolState;
  /** The last outline that was given up; redo brings it back. */
  readonly abandoned: Outline | undefined;
  readonly edges: EdgeCosts | undefined;
  readonly press: Press | undefined;
  readonly lastClick: Click | undefined;
  readonly panning: { readonly pointerId: number; readonly at: Point } | undefined;
  /** Fingers on the screen, in screen pixels. */
  readonly touches: ReadonlyMap<number, Point>;
  /** What touched the canvas last. */
  readonly pointerKind: PointerKind;
  /** From then on fingers only pan and zoom, and a resting palm draws nothing. */
  readonly penSeen: boolean;
  /** Where the pointer is, in image pixels. */
  readonly pointer: Point | undefined;
  /** The keyboard's cursor, in image pixels, from the first arrow key until the pointer moves. */
  readonly cursor: Point | undefined;
  /** Enter was pressed where the cursor is. */
  readonly cursorUsed: boolean;
  readonly held: ReadonlySet<ActionId>;
};

export type Outline = { readonly tool: ToolId; readonly points: Path };

export type ParkedTarget = {
  /** Undefined for the first one. */
  readonly instance: number | undefined;
  readonly history: History;
  readonly abandoned: Outline | undefined;
  /** Not finished; it goes on when the target is edited again. */
  readonly outline: Outline | undefined;
};

export type EditorStart = {
  readonly document: AnnotationDocument;
  readonly label?: string;
  readonly targets?: readonly string[];
  readonly severalOf?: readonly string[];
  readonly wholes?: ReadonlyMap<string, string>;
  readonly names?: ReadonlyMap<string, string>;
  readonly tool?: ToolId;
  readonly view?: Partial<ViewState>;
  readonly settings?: Partial<EditorSettings>;
};

export function startEditor(start: EditorStart): EditorState {
  const tool = start.tool ?? 'polygon';
  const label = start.label ?? start.targets?.[0] ?? start.document.layers[0]?.label ?? '';
  return {
    document: start.document,
    history: emptyHistory,
    view: { ...defaultView, ...start.view, active: start.targets ? label : null },
    settings: { ...defaultSettings, ...start.settings },
    shortcuts: withChoices({}),
    label,
    instance: firstInstance(layerOf(start.document, label)),
    severalOf: new Set(start.severalOf),
    wholes: start.wholes ?? new Map(),
    targets: start.targets ?? null,
    parked: new Map(),
    names: start.names ?? new Map(),
    selection: noSelection,
    tool,
    toolState: toolOf(tool).idle,
    abandoned: undefined,
    edges: undefined,
    press: undefined,
    lastClick: undefined,
    panning: undefined,
    touches: new Map(),
    pointerKind: 'mouse',
    penSeen: false,
    pointer: undefined,
    cursor: undefined,
    cursorUsed: false,
    held: new Set(),
  };
}

/** Where the current tool stands: 'polygon.drawing'. */
export function statePath(state: EditorState): string {
  return `${state.tool}.${state.toolState.name}`;
}

export function isIdle(state: EditorState): boolean {
  return state.toolState.name === 'idle';
}

/** In screen pixels: handles are twice as wide for a press. A fingertip covers about 9 mm. */
const REACH: Readonly<Record<PointerKind, number>> = { mouse: 10, pen: 12, touch: 24 };

export const nameOf = ({ names }: EditorState, label: string): string => names.get(label) ?? label;

export function contextOf(state: EditorState): ToolContext {
  return {
    document: state.document,
    view: state.view,
    settings: state.settings,
    label: state.label,
    instance: state.instance,
    labelName: nameOf(state, state.label),
    selection: state.selection,
    snapping: state.settings.snapping && !state.held.has('hold-free'),
    tracing: state.held.has('hold-trace'),
    edges: state.edges,
    reach: REACH[state.pointerKind],
    isTouch: state.pointerKind === 'touch',
  };
}

/** A new state and what the outside has to do about it. */
export type Step = { readonly state: EditorState; readonly effects: readonly Effect[] };

export function stay(state: EditorState, ...effects: Effect[]): Step {
  return { state, effects };
}

export function followedBy(step: Step, next: (state: EditorState) => Step): Step {
  const { state, effects } = next(step.state);
  return { state, effects: [...step.effects, ...effects] };
}

export function announce(message: EditorMessage): Effect {
  return { kind: 'announce', message, refused: false };
}

export function refuse(message: EditorMessage): Effect {
  return { kind: 'announce', message, refused: true };
}
