import type { Shape } from '@/lib/core/mask';
import { type LabelFlag, labelFlags } from '@/lib/core/schema';
import type { AnnotationDocument, DrawnShape, LabelLayer, Origin, ShapeId } from './document';
import { instanceOf } from './instances';
import { packShape } from './shape';

/** The smallest changes of a document. Drawing takes "nothing to label" back; saying it takes the shapes away. */
export type Edit =
  | {
      readonly kind: 'insert';
      readonly label: string;
      readonly shapes: readonly Shape[];
      readonly origin?: Origin;
    }
  /** In place: the first new shape keeps the id, an empty list removes. All stay in the instance of the old shape. */
  | { readonly kind: 'replace'; readonly id: ShapeId; readonly shapes: readonly Shape[] }
  /** Moves shapes to an instance of a label, the first one if it is not named. */
  | {
      readonly kind: 'relabel';
      readonly ids: readonly ShapeId[];
      readonly label: string;
      readonly instance?: number;
    }
  | { readonly kind: 'flag'; readonly label: string; readonly flag: LabelFlag; readonly value: boolean }
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
      return relabel(document, edit.ids, edit.label, edit.instance ?? 1);
    case 'flag':
      return setFlag(document, edit.label, edit.flag, edit.value);
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
            shape: packShape({ ...shape, instance: drawn.shape.instance }),
            ...(drawn.origin && { origin: { ...drawn.origin, edited: true } }),
          }))
        : [drawn],
    ),
  }));
  return { ...changed, nextId: document.nextId + Math.max(0, shapes.length - 1) };
}

/** Within a label the shapes keep their places; those of another label come behind the ones that are there. */
function relabel(
  document: AnnotationDocument,
  ids: readonly ShapeId[],
  label: string,
  instance: number,
): AnnotationDocument {
  if (!document.layers.some((layer) => layer.label === label)) return document;
  const isMoved = (drawn: DrawnShape) => ids.includes(drawn.id);
  const inInstance = (drawn: DrawnShape): DrawnShape =>
    instanceOf(drawn.shape) === instance
      ? drawn
      : { ...drawn, shape: packShape({ ...drawn.shape, instance }) };
  const moved = document.layers
    .filter((layer) => layer.label !== label)
    .flatMap((layer) => layer.shapes.filter(isMoved).map(inInstance));
  let isChanged = moved.length > 0;
  const layers = document.layers.map((layer) => {
    if (layer.label !== label)
      return layer.shapes.some(isMoved)
        ? { ...layer, shapes: layer.shapes.filter((drawn) => !isMoved(drawn)) }
        : layer;
    const own = layer.shapes.map((drawn) => (isMoved(drawn) ? inInstance(drawn) : drawn));
    const isSame = moved.length === 0 && own.every((drawn, i) => drawn === layer.shapes[i]);
    isChanged ||= !isSame;
    return isSame ? layer : { ...layer, nothing: false, shapes: [...own, ...moved] };
  });
  return isChanged ? { ...document, layers } : document;
}

function setFlag(
  document: AnnotationDocument,
  label: string,
  flag: LabelFlag,
  value: boolean,
): AnnotationDocument {
  return changeLayer(document, label, ({ flags: before = [], ...layer }) => {
    const flags = labelFlags.filter((each) => (each === flag ? value : before.includes(each)));
    return { ...layer, ...(flags.length > 0 && { flags }) };
  });
}

function sayNothing(document: AnnotationDocument, label: string, value: boolean): AnnotationDocument {
  return changeLayer(document, label, (layer) =>
    layer.nothing === value
      ? layer
      : value
        ? { label, nothing: true, shapes: [] }
        : { ...layer, nothing: false },
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
