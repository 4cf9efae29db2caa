import type { Scene } from '@/lib/demo/scenes';
import type { Rng } from '@/lib/demo/scenes/prng';
import type { BehaviourName } from '../behaviours';
import type { AskedKind, Notebook } from '../question';
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
interface HandedIn {
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

/** Words that a worker must not find in what is sent about ordinary work. */
const forbidden = /gold|honeypot|truth|isCheck|checkId|expected|trusted|hidden/i;

/** Milliseconds in which the ids of one batch are made. */
const ONE_GO_MS = 250;

type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

/**
 * Looks at every batch of work as somebody who wants to find the checks would, and notes what tells one item
 * from the others: a field, a type, the form of an address, an id out of order. Counts by hint.
 */
export class LeakWatch {
  readonly hints = new Map<string, number>();
  private readonly forms = new Map<string, string>();

  /** A batch of ordinary work as it was read. */
  lookAtBatch(batch: { stage: { kind: string }; items: readonly object[] }): void {
    this.lookForWords('batch', batch as unknown as Json);
    const items = batch.items as unknown as { leaseId: string; position: number }[];
    for (const item of items) this.compareForm(batch.stage.kind, item as unknown as Json);
    const made = [...items].sort((a, b) => a.position - b.position).map((item) => madeAt(item.leaseId));
    // An id that was made apart from the others tells that its item was put in apart from them.
    if (made.some((at, i) => at < (made[i - 1] ?? at)))
      this.note('lease ids are not in the order of the items');
    if (Math.max(...made) - Math.min(...made) > ONE_GO_MS) this.note('lease ids carry different moments');
  }

  /** Any other answer that a worker gets. */
  lookForWords(what: string, value: Json): void {
    for (const name of namesIn(value)) if (forbidden.test(name)) this.note(`${what}: a field "${name}"`);
  }

  private compareForm(stage: string, item: Json): void {
    const form = formOf(item);
    const known = this.forms.get(stage);
    if (known === undefined) this.forms.set(stage, form);
    else if (known !== form) this.note(`${stage}: an item of another form`);
  }

  private note(hint: string): void {
    this.hints.set(hint, (this.hints.get(hint) ?? 0) + 1);
  }
}

/** A UUIDv7 begins with 48 bits of milliseconds. */
const madeAt = (id: string): number => Number.parseInt(id.replace('-', '').slice(0, 12), 16);

function namesIn(value: Json): string[] {
  if (Array.isArray(value)) return value.flatMap(namesIn);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => [name, ...namesIn(inner)]);
}

/** What a lawful item may have or lack: its draft, its answer and how many neighbours are drawn. */
const varying = new Set(['draft', 'answer', 'neighbours', 'definition', 'className']);

/** Names in order with types, and addresses with every letter and digit made alike. */
function formOf(value: Json, name = ''): string {
  if (varying.has(name)) return '*';
  if (Array.isArray(value)) return '[]';
  if (typeof value === 'string')
    return name === 'url' ? value.replace(/[\w-]+/g, (run) => `${run.length}`) : 's';
  if (typeof value !== 'object' || value === null) return value === null ? '-' : typeof value;
  const fields = Object.entries(value).map(([key, inner]) => `${key}:${formOf(inner, key)}`);
  return `{${fields.join(',')}}`;
}
