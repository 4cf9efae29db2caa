import type { AnnotationDocument } from './document/document';
import type { Edit } from './document/edits';
import type { EditorMessage } from './messages';

export type CommandName =
  | 'draw-polygon'
  | 'draw-rectangle'
  | 'draw-ellipse'
  | 'paint'
  | 'erase'
  | 'cut-hole'
  | 'move-shapes'
  | 'delete-shapes'
  | 'relabel-shapes'
  | 'move-vertices'
  | 'insert-vertex'
  | 'delete-vertices'
  | 'slice'
  | 'join'
  | 'fill-hole'
  | 'accept-suggestion'
  | 'nothing-to-label'
  | 'delete-instance'
  | 'move-to-instance'
  | 'set-flag';

/** One entry of the history. `message` describes it for a person: "Polygon, 12 points". */
export type Command = {
  readonly name: CommandName;
  readonly message: EditorMessage;
  readonly edits: readonly Edit[];
};

export type HistoryEntry = {
  readonly command: Command;
  readonly before: AnnotationDocument;
  readonly after: AnnotationDocument;
  /** The instance that was drawn. */
  readonly instance: number;
};

type Stack = { readonly entry: HistoryEntry; readonly below: Stack | undefined; readonly size: number };

/** Documents share what they have in common, so the depth is bounded by memory only. */
export type History = { readonly past: Stack | undefined; readonly future: Stack | undefined };

export const emptyHistory: History = { past: undefined, future: undefined };

export function record(history: History, entry: HistoryEntry): History {
  return { past: push(history.past, entry), future: undefined };
}

export type HistoryMove = { readonly history: History; readonly entry: HistoryEntry };

export function undo({ past, future }: History): HistoryMove | undefined {
  if (!past) return undefined;
  return { history: { past: past.below, future: push(future, past.entry) }, entry: past.entry };
}

export function redo({ past, future }: History): HistoryMove | undefined {
  if (!future) return undefined;
  return { history: { past: push(past, future.entry), future: future.below }, entry: future.entry };
}

export function undoDepth(history: History): number {
  return history.past?.size ?? 0;
}

export function redoDepth(history: History): number {
  return history.future?.size ?? 0;
}

/** What was done, latest first. */
export function* commandsDone(history: History): Generator<Command> {
  for (let stack = history.past; stack; stack = stack.below) yield stack.entry.command;
}

function push(below: Stack | undefined, entry: HistoryEntry): Stack {
  return { entry, below, size: (below?.size ?? 0) + 1 };
}
