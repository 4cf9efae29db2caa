import type { Shape } from '@/lib/core/mask';
import type { AssistUse } from '@/lib/core/quality/answer';
import type { LabelFlag } from '@/lib/core/schema';

/** Counts up within a document; never stored, so that reading a document numbers its shapes afresh. */
export type ShapeId = number;

/** Where a shape came from, if not from the hand. The shapes of one suggestion have equal origins. */
export type Origin = Readonly<AssistUse>;

export type DrawnShape = { readonly id: ShapeId; readonly shape: Shape; readonly origin?: Origin };

/** What is drawn for one label, in order. `nothing` says that there is nothing to label, and excludes shapes. */
export type LabelLayer = {
  readonly label: string;
  readonly nothing: boolean;
  readonly shapes: readonly DrawnShape[];
  /** What is known besides the mask, in the order of `labelFlags`. Undefined if there is nothing. */
  readonly flags?: readonly LabelFlag[];
};

/**
 * What a person has drawn on one image: immutable, and a change shares all that it does not touch. Coordinates
 * are pixels of the upright image, in Float64Array, and may lie outside of it: the mask rule cuts them.
 */
export type AnnotationDocument = {
  readonly height: number;
  readonly width: number;
  readonly layers: readonly LabelLayer[];
  /** Of labels that the schema no longer has: kept, not shown, brought back when the label returns. */
  readonly aside: readonly LabelLayer[];
  readonly nextId: ShapeId;
};

export function emptyDocument(height: number, width: number, labels: readonly string[]): AnnotationDocument {
  const layers = labels.map((label) => ({ label, nothing: false, shapes: [] }));
  return { height, width, layers, aside: [], nextId: 1 };
}

export function layerOf(document: AnnotationDocument, label: string): LabelLayer | undefined {
  return document.layers.find((layer) => layer.label === label);
}

export function withLayer(document: AnnotationDocument, layer: LabelLayer): AnnotationDocument {
  const layers = document.layers.map((other) => (other.label === layer.label ? layer : other));
  return { ...document, layers };
}

/** Documents of one image as one document. Shapes are numbered afresh, so that no two have the same id. */
export function joinDocuments(documents: readonly AnnotationDocument[]): AnnotationDocument {
  const [first] = documents;
  if (!first) throw new Error('There is no document to join.');
  const layers: LabelLayer[] = [];
  let nextId = 1;
  for (const layer of documents.flatMap((document) => document.layers)) {
    const { shapes, nextId: next } = numbered(layer.shapes, nextId);
    layers.push({ ...layer, shapes });
    nextId = next;
  }
  return { ...first, layers, aside: [], nextId };
}

/** Replaces a layer by one of another document. */
export function adoptLayer(document: AnnotationDocument, layer: LabelLayer): AnnotationDocument {
  const { shapes, nextId } = numbered(layer.shapes, document.nextId);
  return { ...withLayer(document, { ...layer, shapes }), nextId };
}

function numbered(shapes: readonly DrawnShape[], nextId: ShapeId) {
  return {
    shapes: shapes.map((drawn, i): DrawnShape => ({ ...drawn, id: nextId + i })),
    nextId: nextId + shapes.length,
  };
}

export type FoundShape = { readonly layer: LabelLayer; readonly index: number; readonly drawn: DrawnShape };

export function findShape(document: AnnotationDocument, id: ShapeId): FoundShape | undefined {
  for (const layer of document.layers) {
    const index = layer.shapes.findIndex((drawn) => drawn.id === id);
    const drawn = layer.shapes[index];
    if (drawn) return { layer, index, drawn };
  }
  return undefined;
}
