import { type AnnotationDocument, findShape, type ShapeId } from './document/document';
import { ringsOf } from './document/shape';

/** Ring 0 is the outer one, ring 1 the first hole. */
export type VertexRef = { readonly ring: number; readonly index: number };

/** Vertices belong to the one selected shape; there are none while several are selected. */
export type Selection = { readonly shapes: readonly ShapeId[]; readonly vertices: readonly VertexRef[] };

export const noSelection: Selection = { shapes: [], vertices: [] };

export function selectShapes(shapes: readonly ShapeId[]): Selection {
  return { shapes, vertices: [] };
}

export function isSelected(selection: Selection, id: ShapeId): boolean {
  return selection.shapes.includes(id);
}

export function hasVertex(selection: Selection, vertex: VertexRef): boolean {
  return selection.vertices.some(({ ring, index }) => ring === vertex.ring && index === vertex.index);
}

/** Without what an undo or an edit took away. */
export function stillThere(selection: Selection, document: AnnotationDocument): Selection {
  if (selection.shapes.length === 0) return noSelection;
  const shapes = selection.shapes.filter((id) => findShape(document, id));
  const [only] = shapes;
  const shape =
    shapes.length === 1 && only !== undefined ? findShape(document, only)?.drawn.shape : undefined;
  const rings = shape?.kind === 'polygon' ? ringsOf(shape) : [];
  const vertices = selection.vertices.filter(({ ring, index }) => 2 * index < (rings[ring]?.length ?? 0));
  if (shapes.length === selection.shapes.length && vertices.length === selection.vertices.length)
    return selection;
  return { shapes, vertices };
}
