import type { Scene } from '@/lib/demo/scenes';
import type { Rng } from '@/lib/demo/scenes/prng';
import type { BehaviourName } from '../behaviours';
import type { Notebook } from '../notebook';
import type { AskedKind } from '../question';
import type { LeakWatch } from './leak-watch';
import type { SentStage } from './messages';

/** One answer that the server took. */
export interface Done {
  worker: number;
  kind: 'work' | 'exam' | 'practice';
  stageKind: AskedKind;
  target: string;
  picture: string;
  leaseId: string;
  answerId: string;
  isBad: boolean;
}

/** One batch that the server closed, and what it said that this brings. */
export interface HandedIn {
  batchId: string;
  amountMicro: bigint;
}

export type Leaving = 'time over' | 'work out' | 'exam' | 'paused' | 'ended' | 'limit' | 'failed';

/** What became of one simulated worker. */
export interface Career {
  number: number;
  behaviour: BehaviourName;
  items: number;
  examItems: number;
  /** Items of work done when a stage was first closed to them for their work; null while none is. */
  stoppedAfter: number | null;
  refreshers: number;
  earnedMicro: bigint;
  left: Leaving;
}

/** Everything that the workers of one run share. */
export interface Floor {
  stages: readonly SentStage[];
  projectId: string;
  /** What a worker sees on the picture behind an address; null for one the generator did not make. */
  sceneOf(picture: string): Scene | null;
  notebook: Notebook;
  watch: LeakWatch;
  done: Done[];
  handedIn: HandedIn[];
  /** Batches in hand: while there are some, more work may come of them. */
  holding: number;
  /** Batches that were in hand and are no longer. */
  closed: number;
  /** How many times faster than people they work; Infinity: without any waiting. */
  speed: number;
  /** Aborts when the time is over. */
  signal: AbortSignal;
  random: (member: number) => Rng;
}
