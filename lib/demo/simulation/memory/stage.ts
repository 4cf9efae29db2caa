import type { AnswerValue } from '@/lib/core/quality/answer';
import type { Provenance } from '@/lib/core/quality/attribution';
import type { HistoryAction, HistoryAnswer, HistoryCheck } from '@/lib/core/quality/history';
import type { ScoredCheck } from '@/lib/core/quality/posterior';
import type { Person } from './people';
import type { Given, Truth } from './world';

export type StageKind = 'attributes' | 'part-mask';

/** An answer that counts, or counted, for an item. */
export type Answer = {
  id: string;
  item: Item;
  worker: Worker;
  given: Given;
  at: number;
  isSetAside: boolean;
};

export type Label = {
  id: string;
  value: AnswerValue;
  given: Given;
  provenance: Provenance;
};

export type Item = {
  image: number;
  target: number;
  state: 'open' | 'settled' | 'withdrawn';
  /** Answers wanted. */
  overlap: number;
  answers: Answer[];
  label: Label | null;
  /** Workers who have met it. */
  met: Set<number>;
  isQueued: boolean;
  /** Somebody found nothing to draw, and the form lost its attribute. */
  isDenied: boolean;
};

/** A worker in one stage. */
export type Career = {
  standing: 'active' | 'stopped' | 'done' | 'failed-exam';
  /** Parts that the worker no longer gets. */
  pausedTargets: Set<number>;
  itemsDone: number;
  answers: HistoryAnswer[];
  checks: HistoryCheck[];
  actions: readonly HistoryAction[];
  batchEnds: Date[];
  scored: ScoredCheck[];
  /** Ids of failed checks that decisions name. */
  named: Set<string>;
  work: Answer[];
  goldMet: Set<number>;
  stoppedAfter: number | null;
  stoppedBy: string | null;
  refreshers: number;
  /** One answer of this worker is not enough. */
  needsConfirmation: boolean;
};

export type Worker = { person: Person; seat: number; careers: Record<StageKind, Career> };

export type Gold = {
  image: number;
  target: number;
  truth: Truth;
  pool: 'exam' | 'check' | 'practice';
  exposures: number;
  /** Scores of workers in good standing. */
  levels: Map<number, number>;
  sum: number;
};

export type Stage = {
  kind: StageKind;
  /** Items to ask before others: asked again, and second opinions. */
  urgent: Item[];
  fresh: Item[];
  next: number;
  gold: Gold[];
  goldById: Map<string, Gold>;
  /** Checks of recent batches, for the reliability of everybody. */
  recentChecks: ScoredCheck[][];
  recentTimes: number[][];
  batches: number;
};

export const newCareer = (): Career => ({
  standing: 'active',
  pausedTargets: new Set(),
  itemsDone: 0,
  answers: [],
  checks: [],
  actions: [],
  batchEnds: [],
  scored: [],
  named: new Set(),
  work: [],
  goldMet: new Set(),
  stoppedAfter: null,
  stoppedBy: null,
  refreshers: 0,
  needsConfirmation: false,
});

export const newItem = (image: number, target: number, overlap: number): Item => ({
  image,
  target,
  state: 'open',
  overlap,
  answers: [],
  label: null,
  met: new Set(),
  isQueued: false,
  isDenied: false,
});

/** Puts an item at the end of what is asked before ordinary work. */
export function enqueue(stage: Stage, item: Item): void {
  if (item.isQueued) return;
  item.isQueued = true;
  stage.urgent.push(item);
}

export const isWanted = (item: Item): boolean => item.state === 'open' && item.answers.length < item.overlap;

/** Up to `size` items for a worker, in hand-out order. */
export function pickItems(stage: Stage, { person, careers }: Worker, size: number): Item[] {
  const { pausedTargets } = careers[stage.kind];
  const canGet = ({ met, target }: Item) => !met.has(person.id) && !pausedTargets.has(target);
  const picked: Item[] = [];
  const left: Item[] = [];
  for (const item of stage.urgent) {
    if (!isWanted(item)) {
      item.isQueued = false;
      continue;
    }
    if (picked.length < size && canGet(item)) picked.push(item);
    left.push(item);
  }
  stage.urgent = left;
  while (stage.next < stage.fresh.length && !isWanted(stage.fresh[stage.next] as Item)) stage.next++;
  for (let i = stage.next; i < stage.fresh.length && picked.length < size; i++) {
    const item = stage.fresh[i] as Item;
    if (isWanted(item) && !item.isQueued && canGet(item)) picked.push(item);
  }
  return picked;
}
