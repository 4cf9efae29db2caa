import type { Point } from '@/lib/core/geometry';
import { onGrid } from '../../document/limits';
import { boxBetween } from '../hit';
import type { ObjectPrompt, PromptPoint } from '../tool';

/** More clicks help no model, and the server takes no more. */
export const MOST_POINTS = 64;

/** One more click. It corrects a box, and takes the place of what was found without being shown. */
export function withPoint(before: ObjectPrompt | undefined, [x, y]: Point, include: boolean): ObjectPrompt {
  const point: PromptPoint = { x: onGrid(x), y: onGrid(y), include };
  if (!before || !('points' in before)) return { kind: 'point', points: [point] };
  return { ...before, points: [...before.points, point] };
}

/** A box says anew what is meant. */
export function boxPrompt(from: Point, to: Point): ObjectPrompt {
  const [x, y, width, height] = boxBetween(from, to);
  return { kind: 'box', box: [onGrid(x), onGrid(y), onGrid(width), onGrid(height)], points: [] };
}

export function pointsOf(prompt: ObjectPrompt): readonly PromptPoint[] {
  return 'points' in prompt ? prompt.points : [];
}

/** What the person had to do for it. */
export function clicksOf(prompt: ObjectPrompt): number {
  return pointsOf(prompt).length + (prompt.kind === 'point' ? 0 : 1);
}
