import type { Path } from '@/lib/core/geometry';
import type { Shape } from '@/lib/core/mask';
import type { AnswerValue } from './answer';

export type AnswerTraits = {
  kind: AnswerValue['kind'];
  /** Corners of all outlines; null where something was not drawn corner by corner. */
  vertices: number | null;
  /** Equal for drawings that are the same but for their place in the image. */
  shapesHash: string | null;
  /** Equal for the same choices in any order. */
  choicesHash: string | null;
  /** Positions that drawing it takes: vertices of polygons and points of strokes. */
  points: number;
  /** Whether suggestions of a smart tool are in it. */
  isAssisted: boolean;
};

/** What the signals look at, without the answer itself. */
export function traitsOf(value: AnswerValue): AnswerTraits {
  return {
    kind: value.kind,
    vertices: value.kind === 'mask' ? verticesOf(value.shapes) : null,
    shapesHash: value.kind === 'mask' ? hashText(JSON.stringify(movedToOrigin(value.shapes))) : null,
    choicesHash: value.kind === 'attributes' ? hashText(JSON.stringify(inOrder(value.choices))) : null,
    points: value.kind === 'mask' ? pointsOf(value.shapes) : 0,
    isAssisted: value.kind === 'mask' && (value.assists?.length ?? 0) > 0,
  };
}

function verticesOf(shapes: readonly Shape[]): number | null {
  const added = shapes.filter((shape) => shape.op === 'add');
  if (!added.every((shape) => shape.kind === 'polygon')) return null;
  return added.reduce((sum, shape) => sum + shape.outer.length / 2, 0);
}

const pointsOf = (shapes: readonly Shape[]): number =>
  shapes.flatMap(pathsOf).reduce((sum, path) => sum + path.length / 2, 0);

/** The drawing with its first point at the origin, in tenths of a pixel: pasting and nudging change nothing. */
function movedToOrigin(shapes: readonly Shape[]): unknown[] {
  const [x = 0, y = 0] = shapes.flatMap((shape) => Array.from(pathsOf(shape)[0] ?? []).slice(0, 2));
  const move = (path: Path) =>
    Array.from(path, (value, i) => Math.round((value - (i % 2 === 0 ? x : y)) * 10) + 0);
  return shapes.map((shape) =>
    shape.kind === 'bitmap'
      ? [shape.op, shape.size, shape.counts]
      : [shape.op, shape.kind === 'stroke' ? shape.radius : null, pathsOf(shape).map(move)],
  );
}

function pathsOf(shape: Shape): Path[] {
  if (shape.kind === 'polygon') return [shape.outer, ...shape.holes];
  return shape.kind === 'stroke' ? [shape.points] : [];
}

const inOrder = (choices: Record<string, string[]>): [string, string[]][] =>
  Object.keys(choices)
    .sort()
    .map((group) => [group, [...(choices[group] ?? [])].sort()]);

/** 64-bit FNV-1a in two halves, as text: equal on every machine. Not for security. */
function hashText(text: string): string {
  let [a, b] = [0x811c9dc5, 0xcbf29ce4];
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    a = Math.imul(a ^ code, 0x01000193);
    b = Math.imul(b ^ (code + i), 0x01000193);
  }
  return [a, b].map((half) => (half >>> 0).toString(16).padStart(8, '0')).join('');
}
