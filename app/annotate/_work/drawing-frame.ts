import {
  type AnnotationDocument,
  type DocumentFrame,
  type DrawnShape,
  fromAnswer,
  type LabelLayer,
  parseDocument,
  serialize,
} from '@/lib/core/editor';
import type { Ring } from '@/lib/core/geometry';
import { decodeCounts, simplifiedRegions } from '@/lib/core/mask';
import type { AnswerValue } from '@/lib/core/quality/answer';
import type { WorkItem } from './api';

/** What is drawn in an item's document; the neighbours are only looked at. */
export function frameOf({ image, target }: WorkItem): DocumentFrame {
  return { width: image.width, height: image.height, labels: [target?.id ?? ''] };
}

/** Of a stored drawing, the same text for the same drawing; what cannot be read stays as it is. */
export function canonicalDrawing(frame: DocumentFrame): (stored: unknown) => string {
  return (stored) => {
    const parsed = parseDocument(stored, frame);
    if (parsed.ok) return serialize(parsed.document);
    return typeof stored === 'string' ? stored : JSON.stringify(stored);
  };
}

/** Share of a neighbour's area that its outline may lose for having few vertices. */
const OUTLINE_LOSS = 0.01;

/**
 * The document with the other parts of the image as further labels, for borders to be shared; `isExact` where what
 * is drawn gives way to their pixels.
 */
export function withNeighbours(
  document: AnnotationDocument,
  item: WorkItem,
  isExact: boolean,
): AnnotationDocument {
  let { nextId } = document;
  const own = new Set(document.layers.map(({ label }) => label));
  const layers = item.neighbours
    .filter(({ target }) => !own.has(target))
    .map(({ target, counts }): LabelLayer => {
      const mask = decodeCounts(counts, document.height, document.width);
      const shapes = simplifiedRegions(mask, isExact ? 0 : OUTLINE_LOSS).map(
        ({ outer, holes }): DrawnShape => ({
          id: nextId++,
          shape: {
            kind: 'polygon',
            op: 'add',
            outer: Float64Array.from(outer),
            holes: holes.map((hole) => Float64Array.from(hole)),
          },
        }),
      );
      return { label: target, nothing: false, shapes };
    });
  return { ...document, layers: [...document.layers, ...layers], nextId };
}

/** The outline of the object that an item is about, to look at. */
export function objectRings({ object, image }: WorkItem): readonly Ring[] {
  if (object === null) return [];
  const mask = decodeCounts(object, image.height, image.width);
  return simplifiedRegions(mask, OUTLINE_LOSS).flatMap(({ outer, holes }) => [outer, ...holes]);
}

/** The text to store: without the neighbours, which are not this person's work. */
export function storedText(document: AnnotationDocument, frame: DocumentFrame): string {
  const layers = document.layers.filter(({ label }) => frame.labels.includes(label));
  return serialize({ ...document, layers });
}

/** What was submitted, to look at. */
export function answeredDocument(item: WorkItem, frame: DocumentFrame): AnnotationDocument | undefined {
  const [label] = frame.labels;
  if (item.answer === null || label === undefined) return undefined;
  return fromAnswer(item.answer as AnswerValue, label, frame);
}
