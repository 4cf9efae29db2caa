import { MAX_COORDINATE, type Shape } from '@/lib/core/mask';
import type { AnnotationDocument, LabelLayer } from './document';
import { MAX_HOLES, MAX_SHAPES, MAX_VERTICES } from './limits';
import { ringsOf, vertexCount } from './shape';

/** What is wrong with a document, in sentences; an empty list when nothing is. */
export function documentProblems(document: AnnotationDocument): string[] {
  const problems = document.layers.flatMap((layer) => layerProblems(layer, document));
  const vertices = documentVertices(document);
  if (vertices > MAX_VERTICES)
    problems.push(
      `${count(vertices)} vertices are more than the ${count(MAX_VERTICES)} that one image may have`,
    );
  const ids = document.layers.flatMap((layer) => layer.shapes.map((drawn) => drawn.id));
  if (new Set(ids).size !== ids.length) problems.push('two shapes have the same id');
  if (ids.some((id) => id >= document.nextId)) problems.push('a shape has an id that is not given out yet');
  return problems;
}

const layerVertices = new WeakMap<LabelLayer['shapes'], number>();

export function documentVertices(document: AnnotationDocument): number {
  return document.layers.reduce((sum, { shapes }) => {
    let vertices = layerVertices.get(shapes);
    if (vertices === undefined) {
      vertices = shapes.reduce((total, drawn) => total + vertexCount(drawn.shape), 0);
      layerVertices.set(shapes, vertices);
    }
    return sum + vertices;
  }, 0);
}

function layerProblems(layer: LabelLayer, document: AnnotationDocument): string[] {
  const problems: string[] = [];
  if (layer.nothing && layer.shapes.length > 0)
    problems.push(`${layer.label} has shapes although there is nothing to label`);
  if (layer.shapes.length > MAX_SHAPES)
    problems.push(`${layer.label} has more than ${count(MAX_SHAPES)} shapes`);
  for (const { id, shape } of layer.shapes) {
    const problem = shapeProblem(shape, document);
    if (problem) problems.push(`${layer.label}, shape ${id}: ${problem}`);
  }
  return problems;
}

export function shapeProblem(
  shape: Shape,
  image: { readonly height: number; readonly width: number },
): string | undefined {
  switch (shape.kind) {
    case 'polygon':
      if (shape.holes.length > MAX_HOLES) return `more than ${count(MAX_HOLES)} holes`;
      return ringsOf(shape)
        .map((ring) => pointsProblem(ring, 3))
        .find((problem) => problem);
    case 'stroke':
      if (!(shape.radius > 0 && shape.radius <= MAX_COORDINATE)) return `a brush radius of ${shape.radius}`;
      return pointsProblem(shape.points, 1);
    case 'bitmap':
      return shape.size[0] === image.height && shape.size[1] === image.width
        ? undefined
        : `made for an image of ${shape.size[1]}×${shape.size[0]}, this one has ${image.width}×${image.height}`;
  }
}

function pointsProblem(points: ArrayLike<number>, least: number): string | undefined {
  if (points.length % 2 !== 0) return 'coordinates that do not come in pairs';
  if (points.length < 2 * least) return `fewer than ${least} points`;
  if (points.length > 2 * MAX_VERTICES) return `more than ${count(MAX_VERTICES)} points`;
  for (let i = 0; i < points.length; i++)
    if (!(Math.abs(points[i] as number) <= MAX_COORDINATE)) return `a coordinate of ${points[i]}`;
  return undefined;
}

function count(value: number): string {
  return value.toLocaleString('en');
}
