import {
  type AnnotationDocument,
  type DocumentFrame,
  Editor,
  editorStart,
  emptyDocument,
  isIdle,
  joinDocuments,
  type LabelLayer,
  layerOf,
  parseDocument,
  settingsOf,
  unfinishedOf,
} from '@/lib/core/editor';
import type { Ring } from '@/lib/core/geometry';
import { readTarget, writeTarget } from '@/lib/core/schema';
import type { WorkItem } from './api';
import type { BatchSession } from './batch-session';
import { answeredDocument, frameOf, objectRings, storedText, withNeighbours } from './drawing-frame';
import { schemaOf } from './task-sentence';
import type { WorkImage } from './work-image';
import type { RememberedSettings } from './workspace-settings';

/** One target of the image: an item of the batch with its own draft. */
export interface DrawingTarget {
  readonly item: WorkItem;
  readonly frame: DocumentFrame;
  readonly label: string;
  /** Shapes of labels that the schema no longer has. They are stored with the draft and not shown. */
  aside: readonly LabelLayer[];
  /** The outline of the object that it belongs to, where the image shows several. */
  readonly object: readonly Ring[];
}

interface DrawingTask {
  readonly image: WorkImage;
  readonly session: BatchSession;
  readonly settings: RememberedSettings;
  readonly hasSmartTools: boolean;
}

/** A stored drawing that cannot be shown, or not all of it. */
export type DraftNotice =
  | { readonly kind: 'unreadable' }
  | { readonly kind: 'labelsAside'; readonly labels: readonly string[] };

/** One image open for drawing: one editor for all its targets, whose every change goes to the store of the batch. */
export class DrawingSession {
  readonly targets: readonly DrawingTarget[];
  readonly editor: Editor;
  /** What the person has to know about the drafts that were found. */
  readonly notices: readonly DraftNotice[];
  readonly #close: () => void;

  private constructor(
    targets: readonly DrawingTarget[],
    editor: Editor,
    notices: readonly DraftNotice[],
    close: () => void,
  ) {
    this.targets = targets;
    this.editor = editor;
    this.notices = notices;
    this.#close = close;
  }

  static async open(task: DrawingTask, current: WorkItem): Promise<DrawingSession> {
    const { image, session, settings } = task;
    const { subtractOtherParts } = session.batch;
    const found = await Promise.all(image.items.map((item) => openTarget(item, session)));
    const targets = found.map(({ target }) => target);
    const [first] = targets;
    if (!first) throw new Error('Every image of a batch has an item.');
    const joined = joinDocuments(found.map(({ document }) => document));
    const document = withNeighbours(joined, first.item, subtractOtherParts);
    const editor = startEditor(document, task, targets, frameLabel(frameOf(current)));
    for (const { target, gesture } of found)
      if (gesture) editor.dispatch({ type: 'resume', label: target.label, ...gesture });
    for (const target of targets)
      session.adopters.set(target.item.leaseId, (theirs) => {
        const { document, aside } = read(theirs, target.frame);
        target.aside = aside;
        const layer = layerOf(document, target.label);
        if (layer) editor.dispatch({ type: 'adopt', layer });
      });
    const stop = keep(editor, targets, session, settings);
    const notices = found.flatMap(({ notice }) => (notice ? [notice] : []));
    return new DrawingSession(targets, editor, notices, () => {
      stop();
      settings.cameras.set(image.key, editor.state.view.camera);
      for (const { item } of targets) session.adopters.delete(item.leaseId);
    });
  }

  /** The target that is being drawn. */
  targetOf(label: string): DrawingTarget {
    const target = this.targets.find((each) => each.label === label) ?? this.targets[0];
    if (!target) throw new Error('Every image of a batch has an item.');
    return target;
  }

  close(): void {
    this.#close();
  }
}

const frameLabel = ({ labels }: DocumentFrame): string => labels[0] ?? '';

const isLeaseOpen = (session: BatchSession, { leaseId }: WorkItem): boolean =>
  session.driver.state.items[leaseId]?.lease === 'open';

async function openTarget(item: WorkItem, session: BatchSession) {
  const frame = frameOf(item);
  const target: DrawingTarget = {
    item,
    frame,
    label: frameLabel(frame),
    aside: [],
    object: objectRings(item),
  };
  if (!isLeaseOpen(session, item))
    return { target, document: answeredDocument(item, frame) ?? emptyOf(frame) };
  const gesture = await session.store.read('gestures', item.leaseId).catch(() => undefined);
  const text = session.document(item.leaseId);
  const { document, aside, notice, isLost } = read(text, frame);
  target.aside = aside;
  // The server's copy is overwritten by the first edit; this one stays.
  if (isLost && text !== undefined) await session.store.write('aside', item.leaseId, text);
  return { target, document, notice, gesture };
}

function startEditor(
  document: AnnotationDocument,
  { image, session, settings, hasSmartTools }: DrawingTask,
  targets: readonly DrawingTarget[],
  label: string,
): Editor {
  const remembered = editorStart(settings.current);
  // The outline of the project's model is shown with this tool, also where it is not offered.
  const isMissing = remembered.tool === 'smart-object' && !hasSmartTools;
  const camera = settings.cameras.get(image.key);
  return new Editor({
    ...remembered,
    ...(isMissing && { tool: undefined }),
    document,
    label,
    targets: targets.map((target) => target.label),
    severalOf: targets.flatMap(({ item, label }) => (item.target?.isNumbered ? [label] : [])),
    wholes: wholesIn(document, schemaOf(session.batch, image.items[0] as WorkItem)),
    names: new Map(targets.map(({ item, label }) => [label, item.target?.name ?? label])),
    view: { ...remembered.view, ...(camera && { camera }) },
    settings: {
      ...remembered.settings,
      subtractOthers: session.batch.subtractOtherParts,
      flags: targets[0]?.item.target?.flags ?? [],
      confirmsNothing: true,
    },
  });
}

/** Which labels of the document are sub-parts of which. */
function wholesIn({ layers }: AnnotationDocument, schema: ReturnType<typeof schemaOf>): Map<string, string> {
  return new Map(
    layers.flatMap(({ label }) => {
      const target = readTarget(label);
      const parent = schema?.parts.find(({ id }) => id === target.id)?.parent;
      return parent === undefined ? [] : [[label, writeTarget({ ...target, id: parent })]];
    }),
  );
}

function emptyOf({ height, width, labels }: DocumentFrame): AnnotationDocument {
  return emptyDocument(height, width, labels);
}

interface ReadDocument {
  document: AnnotationDocument;
  aside: readonly LabelLayer[];
  notice?: DraftNotice;
  isLost: boolean;
}

function read(text: string | undefined, frame: DocumentFrame): ReadDocument {
  if (!text) return { document: emptyOf(frame), aside: [], isLost: false };
  const parsed = parseDocument(text, frame);
  if (!parsed.ok)
    return {
      document: emptyOf(frame),
      aside: [],
      notice: { kind: 'unreadable' },
      isLost: true,
    };
  const { document, setAside } = parsed;
  const { aside } = document;
  if (setAside.length === 0) return { document, aside, isLost: false };
  const labels = setAside.map(({ label }) => label);
  return { document, aside, notice: { kind: 'labelsAside', labels }, isLost: false };
}

/** Every committed edit goes to the store, unfinished outlines to the browser's storage, settings to the account. */
function keep(
  editor: Editor,
  targets: readonly DrawingTarget[],
  session: BatchSession,
  settings: RememberedSettings,
): () => void {
  const sizes = new Map(targets.map(({ label }) => [label, outlineSize(editor, label)]));
  const stopEffects = editor.onEffect((effect, state) => {
    // Only the current target can change: see `ViewState.active`.
    const target = targets.find(({ label }) => label === state.label);
    if (effect.kind !== 'commit' || !target || !isLeaseOpen(session, target.item)) return;
    session.edit(target.item.leaseId, storedText({ ...effect.document, aside: target.aside }, target.frame));
  });
  const stopStates = editor.subscribe(() => {
    const { state } = editor;
    settings.change(settingsOf(state));
    // While a press lasts it may still turn into something else.
    if (state.press && !isIdle(state)) return;
    for (const { item, label } of targets) {
      const size = outlineSize(editor, label);
      if (size === sizes.get(label)) continue;
      sizes.set(label, size);
      const outline = unfinishedOf(state, label);
      const { store } = session;
      const writing = outline
        ? store.write('gestures', item.leaseId, { ...outline, points: Array.from(outline.points) })
        : store.remove('gestures', item.leaseId);
      writing.catch(() => undefined);
    }
  });
  return () => {
    stopEffects();
    stopStates();
  };
}

const outlineSize = (editor: Editor, label: string): number =>
  unfinishedOf(editor.state, label)?.points.length ?? 0;
