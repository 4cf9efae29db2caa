import type { Path, Point } from '@/lib/geometry';
import type { AnnotationDocument } from '../document/document';
import { emptyHistory, type History } from '../history';
import { withChoices } from '../key-choices';
import type { EdgeCosts } from '../livewire/edge-costs';
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

export type Click = { readonly time: number; readonly screen: Point; readonly count: number };

export type EditorState = {
  readonly document: AnnotationDocument;
  readonly history: History;
  readonly view: ViewState;
  readonly settings: EditorSettings;
  readonly shortcuts: readonly Shortcut<ActionId>[];
  readonly label: string;
  readonly selection: Selection;
  readonly tool: ToolId;
  readonly toolState: ToolState;
  /** The last outline that was given up; redo brings it back. */
  readonly abandoned: { readonly tool: ToolId; readonly points: Path } | undefined;
  readonly edges: EdgeCosts | undefined;
  readonly press: Press | undefined;
  readonly lastClick: Click | undefined;
  readonly panning: { readonly pointerId: number; readonly at: Point } | undefined;
  /** Fingers on the screen, in screen pixels. */
  readonly touches: ReadonlyMap<number, Point>;
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

export type EditorStart = {
  readonly document: AnnotationDocument;
  readonly label?: string;
  readonly tool?: ToolId;
  readonly view?: Partial<ViewState>;
  readonly settings?: Partial<EditorSettings>;
};

export function startEditor(start: EditorStart): EditorState {
  const tool = start.tool ?? 'polygon';
  return {
    document: start.document,
    history: emptyHistory,
    view: { ...defaultView, ...start.view },
    settings: { ...defaultSettings, ...start.settings },
    shortcuts: withChoices({}),
    label: start.label ?? start.document.layers[0]?.label ?? '',
    selection: noSelection,
    tool,
    toolState: toolOf(tool).idle,
    abandoned: undefined,
    edges: undefined,
    press: undefined,
    lastClick: undefined,
    panning: undefined,
    touches: new Map(),
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

export function contextOf(state: EditorState): ToolContext {
  return {
    document: state.document,
    view: state.view,
    settings: state.settings,
    label: state.label,
    selection: state.selection,
    snapping: state.settings.snapping && !state.held.has('hold-free'),
    tracing: state.held.has('hold-trace'),
    edges: state.edges,
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

export function announce(text: string): Effect {
  return { kind: 'announce', text, refused: false };
}

export function refuse(text: string): Effect {
  return { kind: 'announce', text, refused: true };
}
