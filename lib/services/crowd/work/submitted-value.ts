import { z } from 'zod';
import { MAX_VERTICES } from '@/lib/core/editor/document/limits';
import { AnswerValue } from '@/lib/core/quality/answer';

/** An answer as it comes from outside. The vertices are counted first: a list that is too long is told as such. */
export const SubmittedValue = z
  .unknown()
  .superRefine((value, context) => {
    const count = countVertices(value);
    if (count <= MAX_VERTICES) return;
    const message = `the drawing has ${count.toLocaleString('en')} vertices, at most ${MAX_VERTICES.toLocaleString('en')} can be stored`;
    context.addIssue({ code: 'custom', message });
  })
  .pipe(AnswerValue);

/** Vertices of whatever is a list of coordinates in something that may or may not be a drawing. */
function countVertices(value: unknown): number {
  const shapes = listOf(fieldOf(value, 'shapes'));
  const lists = shapes.flatMap((shape) => [
    fieldOf(shape, 'outer'),
    fieldOf(shape, 'points'),
    ...listOf(fieldOf(shape, 'holes')),
  ]);
  return lists.reduce<number>((sum, list) => sum + Math.ceil(listOf(list).length / 2), 0);
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
