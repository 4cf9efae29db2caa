import { type BehaviourName, behaviourNames, behaviours } from '../behaviours';
import type { Quality } from '../score-label';
import type { Career, Done, Leaving } from './floor';
import type { Failure, Latency, RequestKind, Traffic } from './traffic';

export interface Caught {
  worker: number;
  behaviour: BehaviourName;
  /** Number of items completed by this time. */
  afterItems: number;
}

/** Report printed by `tessera simulate`. */
export interface SimulationReport {
  seed: number;
  seconds: number;
  workers: number;
  /** Accepted answers: to ordinary items and hidden checks, and to exams and practice. */
  items: number;
  examItems: number;
  /** Items with more answers than requested. */
  doubles: number;
  /** Items given to the same worker twice. */
  repeats: number;
  /** Signals that could reveal checks to a worker, with the number of occurrences. */
  leaks: Record<string, number>;
  requests: number;
  requestsPerSecond: number;
  retries: Traffic['retries'];
  errors: { count: number; examples: Failure[] };
  latency: Partial<Record<RequestKind, Latency>>;
  byBehaviour: Partial<Record<BehaviourName, BehaviourReport>>;
  /** Numbers of bad and good workers who were paused or ended. */
  caught: Caught[];
  wronglyRemoved: Caught[];
  quality: (Quality & { wrongByBadWorkers: number }) | null;
  cost: { micro: string; perLabelMicro: string | null };
}

export interface BehaviourReport {
  workers: number;
  items: number;
  refreshers: number;
  left: Partial<Record<Leaving, number>>;
}

export function byBehaviour(careers: readonly Career[]): SimulationReport['byBehaviour'] {
  const rows = behaviourNames.map((name) => {
    const own = careers.filter((career) => career.behaviour === name);
    const left: BehaviourReport['left'] = {};
    for (const career of own) left[career.left] = (left[career.left] ?? 0) + 1;
    const sum = (of: (career: Career) => number) => own.reduce((total, career) => total + of(career), 0);
    const row = {
      workers: own.length,
      items: sum((c) => c.items),
      refreshers: sum((c) => c.refreshers),
      left,
    };
    return [name, row] as const;
  });
  return Object.fromEntries(rows.filter(([, row]) => row.workers > 0));
}

export function stopped(careers: readonly Career[], isBad: boolean): Caught[] {
  return careers.flatMap(({ number, behaviour, stoppedAfter }) =>
    stoppedAfter !== null && behaviours[behaviour].isBad === isBad
      ? [{ worker: number, behaviour, afterItems: stoppedAfter }]
      : [],
  );
}

export function countRepeats(done: readonly Done[]): number {
  const met = new Set<string>();
  for (const { worker, stageKind, target, picture } of done)
    met.add(`${worker} ${stageKind} ${picture} ${target}`);
  return done.length - met.size;
}
