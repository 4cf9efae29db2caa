import { existsSync } from 'node:fs';
import { open, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { and, asc, desc, eq } from 'drizzle-orm';
import { z } from 'zod';
import { type Db, tables } from '@/db';
import type { JobSpec } from '@/lib/core/training-spec';

const { runEvents } = tables;

/** A line of events.jsonl. */
export interface RunEvent {
  seq: number;
  /** Seconds since 1970. */
  t: number;
  attempt: number;
  kind: string;
  [field: string]: unknown;
}

/** Reads what a trainer has told since the last look; a line that is not whole yet waits for the next. */
export class EventFollower {
  #position = 0;
  #rest = Buffer.alloc(0);

  constructor(
    private readonly folder: string,
    /** Events up to here are known. */
    private readonly after: number,
  ) {}

  async read(): Promise<RunEvent[]> {
    const handle = await open(path.join(this.folder, 'events.jsonl'), 'r').catch(() => null);
    if (!handle) return [];
    try {
      const { size } = await handle.stat();
      // A line that a crash tore is cut off by the next attempt: what was held of it is void.
      if (size < this.#position) {
        this.#position -= this.#rest.length;
        this.#rest = Buffer.alloc(0);
      }
      if (size <= this.#position) return [];
      const fresh = Buffer.alloc(size - this.#position);
      const { bytesRead } = await handle.read(fresh, 0, fresh.length, this.#position);
      this.#position += bytesRead;
      const text = Buffer.concat([this.#rest, fresh.subarray(0, bytesRead)]);
      const end = text.lastIndexOf(10) + 1;
      this.#rest = Buffer.from(text.subarray(end));
      return text
        .subarray(0, end)
        .toString('utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as RunEvent)
        .filter(({ seq }) => seq > this.after);
    } finally {
      await handle.close();
    }
  }
}

/**
 * What a trainer must know of what was told before, as lines of `events.jsonl`: the artefacts, which its verdict lists,
 * and the last event, after which it counts on.
 */
export async function readStoredEvents(db: Db, runId: string): Promise<RunEvent[]> {
  const artifacts = await db
    .select()
    .from(runEvents)
    .where(and(eq(runEvents.runId, runId), eq(runEvents.kind, 'artifact')))
    .orderBy(asc(runEvents.seq));
  const [last] = await db
    .select()
    .from(runEvents)
    .where(eq(runEvents.runId, runId))
    .orderBy(desc(runEvents.seq))
    .limit(1);
  const rows = last && last.seq !== artifacts.at(-1)?.seq ? [...artifacts, last] : artifacts;
  return rows.map(({ seq, kind, document, at }) => ({
    ...(document as { attempt: number }),
    seq,
    kind,
    t: at.getTime() / 1000,
  }));
}

/**
 * On a machine that has not seen the run before, the trainer must not count its events from 1 again: it is given what it
 * reads of those before, the artefacts and the last number.
 */
export async function seedEvents(folder: string, told: readonly RunEvent[]): Promise<void> {
  const file = path.join(folder, 'events.jsonl');
  if (told.length === 0 || existsSync(file)) return;
  await writeFile(file, told.map((event) => `${JSON.stringify(event)}\n`).join(''));
}

/** How far a run is, in epochs over all its stages, from what the trainer just told. */
export function progressOf(
  event: RunEvent,
  spec: JobSpec,
): { done: number; total: number; text: string } | null {
  const total = spec.stages.reduce((sum, { epochs }) => sum + epochs, 0);
  if (event.kind !== 'metrics') return null;
  if (event.split === 'test') return { done: total, total, text: 'Testing' };
  const { epoch, stage } = event;
  if (typeof epoch !== 'number' || typeof stage !== 'number') return null;
  const before = spec.stages.slice(0, stage).reduce((sum, { epochs }) => sum + epochs, 0);
  // Steps are of an epoch that is not over.
  const over = event.split === 'step' ? epoch - 1 : epoch;
  return {
    done: Math.min(total, before + over),
    total,
    text: `Training, ${spec.stages[stage]?.name ?? 'the last stage'}`,
  };
}

/** One of several processes was lost: no fault of the run, so that it is tried again as if all were lost. */
export const RANK_LOST = 'rank-lost';

/** The machine has no GPU that can be used: another may have one. */
export const NO_GPU = 'no-gpu';

/** The trainer's verdict, `result.json`. It beats the exit code, which does not survive every launcher. */
export const RunResult = z.looseObject({
  state: z.enum(['succeeded', 'failed', 'canceled', 'preempted']),
  error: z.looseObject({ message: z.string() }).nullish(),
  metrics: z.record(z.string(), z.unknown()).nullish(),
  artifacts: z.array(
    z.looseObject({ type: z.string(), path: z.string(), bytes: z.number(), sha256: z.string() }),
  ),
});

export type RunResult = z.infer<typeof RunResult>;
