import type { Shape } from '@/lib/core/mask';
import type { AnnotationDocument, DrawnShape, LabelLayer, Origin, ShapeId } from './document';
import { packShape } from './shape';

/** The smallest changes of a document. Drawing takes "nothing to label" back; saying it takes the shapes away. */
export type Edit =
  | {
      readonly kind: 'insert';
      readonly label: string;
      readonly shapes: readonly Shape[];
      readonly origin?: Origin;
    }
  /** In place: the first new shape keeps the id, an empty list removes. */
  | { readonly kind: 'replace'; readonly id: ShapeId; readonly shapes: readonly Shape[] }
  | { readonly kind: 'relabel'; readonly ids: readonly ShapeId[]; readonly label: string }
  | { readonly kind: 'nothing'; readonly label: string; readonly value: boolean };

/** An edit that finds nothing to change gives back the same document. */
export function applyEdits(document: AnnotationDocument, edits: readonly Edit[]): AnnotationDocument {
  return edits.reduce(applyEdit, document);
}

function applyEdit(document: AnnotationDocument, edit: Edit): AnnotationDocument {
  switch (edit.kind) {
    case 'insert':
      return insert(document, edit.label, edit.shapes, edit.origin);
    case 'replace':
      return replace(document, edit.id, edit.shapes);
    case 'relabel':
      return relabel(document, edit.ids, edit.label);
    case 'nothing':
      return sayNothing(document, edit.label, edit.value);
  }
}

function insert(
  document: AnnotationDocument,
  label: string,
  shapes: readonly Shape[],
  origin?: Origin,
): AnnotationDocument {
  if (shapes.length === 0) return document;
  const drawn = shapes.map(
    (shape, i): DrawnShape => ({
      id: document.nextId + i,
      shape: packShape(shape),
      ...(origin && { origin }),
    }),
  );
  const changed = changeLayer(document, label, (layer) => ({
    ...layer,
    nothing: false,
    shapes: [...layer.shapes, ...drawn],
  }));
  return changed === document ? document : { ...changed, nextId: document.nextId + shapes.length };
}

function replace(document: AnnotationDocument, id: ShapeId, shapes: readonly Shape[]): AnnotationDocument {
  const layer = document.layers.find((candidate) => candidate.shapes.some((drawn) => drawn.id === id));
  if (!layer) return document;
  const changed = changeLayer(document, layer.label, (before) => ({
    ...before,
    shapes: before.shapes.flatMap((drawn) =>
      drawn.id === id
        ? shapes.map((shape, i) => ({
            id: i === 0 ? id : document.nextId + i - 1,
            shape: packShape(shape),
            ...(drawn.origin && { origin: { ...drawn.origin, edited: true } }),
          }))
        : [drawn],
    ),
  }));
  return { ...changed, nextId: document.nextId + Math.max(0, shapes.length - 1) };
}

function relabel(document: AnnotationDocument, ids: readonly ShapeId[], label: string): AnnotationDocument {
  const isMoved = (drawn: DrawnShape) => ids.includes(drawn.id);
  const moved = document.layers
    .filter((layer) => layer.label !== label)
    .flatMap((layer) => layer.shapes.filter(isMoved));
  if (moved.length === 0 || !document.layers.some((layer) => layer.label === label)) return document;
  const layers = document.layers.map((layer) => {
    if (layer.label === label) return { ...layer, nothing: false, shapes: [...layer.shapes, ...moved] };
    return layer.shapes.some(isMoved)
      ? { ...layer, shapes: layer.shapes.filter((drawn) => !isMoved(drawn)) }
      : layer;
  });
  return { ...document, layers };
}

function sayNothing(document: AnnotationDocument, label: string, value: boolean): AnnotationDocument {
  return changeLayer(document, label, (layer) =>
    layer.nothing === value ? layer : { label, nothing: value, shapes: value ? [] : layer.shapes },
  );
}

function changeLayer(
  document: AnnotationDocument,
  label: string,
  change: (layer: LabelLayer) => LabelLayer,
): AnnotationDocument {
  let found = false;
  const layers = document.layers.map((layer) => {
    if (layer.label !== label) return layer;
    const after = change(layer);
    found ||= after !== layer;
    return after;
  });
  return found ? { ...document, layers } : document;
}
