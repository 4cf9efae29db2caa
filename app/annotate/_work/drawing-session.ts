import {
  type AnnotationDocument,
  type DocumentFrame,
  Editor,
  editorStart,
  emptyDocument,
  isIdle,
  parseDocument,
  settingsOf,
  unfinishedOf,
} from '@/lib/annotator';
import type { WorkItem } from './api';
import type { BatchSession } from './batch-session';
import { answeredDocument, frameOf, storedText, withNeighbours } from './drawing-frame';
import type { RememberedSettings } from './workspace-settings';

type DrawingTask = {
  readonly item: WorkItem;
  readonly frame: DocumentFrame;
  readonly subtractOtherParts: boolean;
  readonly settings: RememberedSettings;
  readonly hasSmartTools: boolean;
};

/** One item open for drawing: its editor, whose every change goes to the store of the batch. */
export class DrawingSession {
  readonly item: WorkItem;
  readonly frame: DocumentFrame;
  readonly editor: Editor;
  /** What to tell the person about the draft that was found. */
  readonly notice: string | undefined;
  readonly #close: () => void;

  private constructor(
    { item, frame }: DrawingTask,
    editor: Editor,
    notice: string | undefined,
    close: () => void,
  ) {
    this.item = item;
    this.frame = frame;
    this.editor = editor;
    this.notice = notice;
    this.#close = close;
  }

  static async open(
    item: WorkItem,
    session: BatchSession,
    settings: RememberedSettings,
    hasSmartTools: boolean,
  ): Promise<DrawingSession> {
    const frame = frameOf(item);
    const task = {
      item,
      frame,
      settings,
      hasSmartTools,
      subtractOtherParts: session.batch.subtractOtherParts,
    };
    const lease = item.leaseId;
    if (session.driver.state.items[lease]?.lease !== 'open') {
      const document = withNeighbours(answeredDocument(item, frame) ?? emptyOf(frame), item, false);
      return new DrawingSession(task, startEditor(document, task, true), undefined, () => undefined);
    }
    const gesture = await session.store.read('gestures', lease).catch(() => undefined);
    const text = session.document(lease);
    const { document, notice, isLost } = read(text, task);
    // The server's copy is overwritten by the first edit; this one stays.
    if (isLost && text !== undefined) await session.store.write('aside', lease, text);
    const editor = startEditor(document, task, false);
    session.adopters.set(lease, (theirs) =>
      editor.dispatch({ type: 'open', document: read(theirs, task).document }),
    );
    if (gesture) editor.dispatch({ type: 'resume', tool: gesture.tool, points: gesture.points });
    const stop = keep(editor, task, session);
    return new DrawingSession(task, editor, notice, () => {
      stop();
      session.adopters.delete(lease);
    });
  }

  close(): void {
    this.#close();
  }
}

function startEditor(document: AnnotationDocument, task: DrawingTask, readOnly: boolean): Editor {
  const { frame, subtractOtherParts, settings } = task;
  const locked = new Set(document.layers.map(({ label }) => label).filter((l) => !frame.labels.includes(l)));
  const remembered = editorStart(settings.current);
  // The outline of the project's model is shown with this tool, also where it is not offered.
  const isMissing = remembered.tool === 'smart-object' && !task.hasSmartTools;
  return new Editor({
    ...remembered,
    ...(isMissing && { tool: undefined }),
    document,
    view: { ...remembered.view, locked },
    settings: {
      ...remembered.settings,
      readOnly,
      subtractOthers: subtractOtherParts,
      confirmsNothing: true,
    },
  });
}

function emptyOf({ height, width, labels }: DocumentFrame): AnnotationDocument {
  return emptyDocument(height, width, labels);
}

function read(
  text: string | undefined,
  { item, frame, subtractOtherParts }: DrawingTask,
): { document: AnnotationDocument; notice?: string; isLost: boolean } {
  if (!text) return { document: withNeighbours(emptyOf(frame), item, subtractOtherParts), isLost: false };
  const parsed = parseDocument(text, frame);
  if (!parsed.ok)
    return {
      document: withNeighbours(emptyOf(frame), item, subtractOtherParts),
      notice: `Your earlier drawing does not fit this item any more and was set aside in this browser. ${parsed.problems[0]}`,
      isLost: true,
    };
  const document = withNeighbours(parsed.document, item, subtractOtherParts);
  if (parsed.setAside.length === 0) return { document, isLost: false };
  const labels = parsed.setAside.map(({ label }) => label).join(', ');
  return {
    document,
    notice: `Shapes of labels that are no longer asked for were set aside: ${labels}.`,
    isLost: false,
  };
}

/** Every committed edit goes to the store, the unfinished outline to the browser's storage, settings to the account. */
function keep(editor: Editor, { item, frame, settings }: DrawingTask, session: BatchSession): () => void {
  const lease = item.leaseId;
  const { store } = session;
  const stopEffects = editor.onEffect((effect) => {
    if (effect.kind === 'commit') session.edit(lease, storedText(effect.document, frame));
  });
  let kept = unfinishedOf(editor.state)?.points.length ?? 0;
  const stopStates = editor.subscribe(() => {
    const { state } = editor;
    settings.change(settingsOf(state));
    // While a press lasts it may still turn into something else.
    if (state.press && !isIdle(state)) return;
    const gesture = unfinishedOf(state);
    const size = gesture?.points.length ?? 0;
    if (size === kept) return;
    kept = size;
    const keeping = gesture ? store.write('gestures', lease, gesture) : store.remove('gestures', lease);
    keeping.catch(() => undefined);
  });
  return () => {
    stopEffects();
    stopStates();
  };
}
