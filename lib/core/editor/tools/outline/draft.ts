import type { Path, Point } from '@/lib/core/geometry';
import { PointList } from '../../document/point-list';

/** An unfinished outline. A step is what one press added: a vertex, a traced border, a freehand run. */
export type OutlineDraft = {
  readonly points: PointList;
  /** Number of points at the start of each step. */
  readonly steps: readonly number[];
  /** Steps taken back, latest last. */
  readonly undone: readonly Float64Array[];
  /** When the first press was; unknown for an outline from a stored draft until it goes on. */
  readonly since: number | undefined;
};

export const emptyDraft: OutlineDraft = { points: PointList.empty, steps: [], undone: [], since: undefined };

export function addStep(draft: OutlineDraft, path: Path): OutlineDraft {
  return {
    points: draft.points.appendAll(path),
    steps: [...draft.steps, draft.points.length],
    undone: [],
    since: draft.since,
  };
}

/** Goes on with the last step: the next point of a freehand run. */
export function extendStep(draft: OutlineDraft, [x, y]: Point): OutlineDraft {
  return { ...draft, points: draft.points.append(x, y), undone: [] };
}

/** The points of the last step, replaced by fewer. */
export function replaceStep(draft: OutlineDraft, path: Path): OutlineDraft {
  const start = draft.steps.at(-1) ?? 0;
  return { ...draft, points: draft.points.take(start).appendAll(path) };
}

export function takeBackVertex(draft: OutlineDraft): OutlineDraft {
  return takeBackTo(draft, draft.points.length - 1);
}

export function takeBackStep(draft: OutlineDraft): OutlineDraft {
  return takeBackTo(draft, draft.steps.at(-1) ?? 0);
}

export function bringBackStep(draft: OutlineDraft): OutlineDraft {
  const step = draft.undone.at(-1);
  if (!step) return draft;
  return { ...addStep(draft, step), undone: draft.undone.slice(0, -1) };
}

function takeBackTo(draft: OutlineDraft, length: number): OutlineDraft {
  if (draft.points.length === 0) return draft;
  const at = Math.max(0, length);
  return {
    points: draft.points.take(at),
    steps: draft.steps.filter((start) => start < at),
    undone: [...draft.undone, draft.points.flat(at)],
    since: draft.since,
  };
}
