import {
  type AnnotationDocument,
  type DocumentFrame,
  Editor,
  emptyDocument,
  isIdle,
  type OutboxDriver,
  type OutboxState,
  parseDocument,
  unfinishedOf,
} from '@/lib/annotator';
import type { WorkBatch, WorkItem } from './api';
import { answeredDocument, canonicalDrawing, frameOf, storedText, withNeighbours } from './drawing-frame';
import { openItemOutbox } from './item-outbox';
import type { LocalStore } from './local-store';

type DrawingTask = {
  readonly item: WorkItem;
  readonly frame: DocumentFrame;
  readonly subtractOtherParts: boolean;
};

/** One item open for drawing: its editor, and the outbox that every change goes to. */
export class DrawingSession {
  readonly item: WorkItem;
  readonly frame: DocumentFrame;
  readonly editor: Editor;
  /** What to tell the person about the draft that was found. */
  readonly notice: string | undefined;
  readonly #outbox: OutboxDriver | undefined;
  readonly #close: () => void;

  private constructor(
    item: WorkItem,
    frame: DocumentFrame,
    editor: Editor,
    notice: string | undefined,
    outbox: OutboxDriver | undefined,
    close: () => void,
  ) {
    this.item = item;
    this.frame = frame;
    this.editor = editor;
    this.notice = notice;
    this.#outbox = outbox;
    this.#close = close;
  }

  static async open(
    item: WorkItem,
    { subtractOtherParts }: Pick<WorkBatch, 'subtractOtherParts'>,
    store: LocalStore,
    changed: (state: OutboxState) => void,
  ): Promise<DrawingSession> {
    const frame = frameOf(item);
    const task = { item, frame, subtractOtherParts };
    const answered = answeredDocument(item, frame);
    if (answered || item.state !== 'open') return DrawingSession.#lookAt(task, answered);
    const canonical = canonicalDrawing(frame);
    const editorOf: { current?: Editor } = {};
    const unfinished = store.read('gestures', item.leaseId);
    const outbox = await openItemOutbox({
      lease: item.leaseId,
      store,
      draft: item.draft,
      canonical,
      adopt: (text) => editorOf.current?.dispatch({ type: 'open', document: read(text, task).document }),
      changed,
    });
    const text = outbox.state.pending?.document ?? (item.draft ? canonical(item.draft.document) : undefined);
    const { document, notice, isLost } = read(text, task);
    // The server's copy is overwritten by the first edit; this one stays.
    if (isLost && text !== undefined) await store.write('aside', item.leaseId, text);
    const editor = startEditor(document, task, false);
    editorOf.current = editor;
    const gesture = await unfinished;
    if (gesture) editor.dispatch({ type: 'resume', tool: gesture.tool, points: gesture.points });
    const stop = keep(editor, frame, outbox, store, item.leaseId);
    changed(outbox.state);
    return new DrawingSession(item, frame, editor, notice, outbox, stop);
  }

  static #lookAt(task: DrawingTask, answered: AnnotationDocument | undefined): DrawingSession {
    const { item, frame } = task;
    const document = withNeighbours(answered ?? emptyOf(frame), item, false);
    return new DrawingSession(
      item,
      frame,
      startEditor(document, task, true),
      undefined,
      undefined,
      () => undefined,
    );
  }

  get outbox(): OutboxDriver | undefined {
    return this.#outbox;
  }

  close(): void {
    this.#close();
    this.#outbox?.flush();
  }
}

function startEditor(
  document: AnnotationDocument,
  { frame, subtractOtherParts }: DrawingTask,
  readOnly: boolean,
): Editor {
  const locked = new Set(document.layers.map(({ label }) => label).filter((l) => !frame.labels.includes(l)));
  return new Editor({
    document,
    view: { locked },
    settings: { readOnly, subtractOthers: subtractOtherParts },
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

/** Every committed edit goes to the outbox at once, and the unfinished outline to the browser's storage. */
function keep(
  editor: Editor,
  frame: DocumentFrame,
  outbox: OutboxDriver,
  store: LocalStore,
  lease: string,
): () => void {
  const stopEffects = editor.onEffect((effect) => {
    if (effect.kind === 'commit') outbox.edited(storedText(effect.document, frame));
  });
  let kept = unfinishedOf(editor.state)?.points.length ?? 0;
  const stopStates = editor.subscribe(() => {
    const { state } = editor;
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
