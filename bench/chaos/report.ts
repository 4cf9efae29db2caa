import { setTimeout as sleep } from 'node:timers/promises';
import { inArray } from 'drizzle-orm';
import { ensureBuild } from '@/bin/start/build';
import { keepFilesPrivate } from '@/bin/start/environment';
import { terminalProgress } from '@/bin/terminal/progress';
import { type Database, tables } from '@/db';
import type { Outcome } from '@/lib/services/invariants/check-rules';
import { activeStates } from '@/lib/services/jobs/job-row';
import { Instance, type InstanceOptions, type Size } from './instance';

/** The machine lacks something the scenario needs. It has not passed. */
export class NotPossible extends Error {}

export const say = (text: string) => console.error(`${new Date().toISOString().slice(11, 19)} ${text}`);

/** Starts an instance for a scenario, and removes it afterwards unless something was broken. */
export async function onInstance(
  { keep }: { keep: boolean },
  size: Size,
  scenario: (instance: Instance) => Promise<boolean>,
  options: InstanceOptions = {},
): Promise<boolean> {
  keepFilesPrivate();
  await ensureBuild(terminalProgress(process.stderr));
  const instance = new Instance(options);
  // The starter does not end with this process: it is stopped here.
  process.once('SIGINT', () => void instance.stop().then(() => process.exit(130)));
  let isSound = false;
  try {
    say(`starting ${size.web} web, ${size.workers} worker on ${instance.home}`);
    await instance.start(size);
    isSound = await scenario(instance);
  } finally {
    await instance.stop();
    // A home that was given is removed by the caller.
    if (!options.home && (keep || !isSound)) say(`kept: ${instance.home}`);
    else if (!options.home) await instance.remove();
  }
  return isSound;
}

/** Prints facts and invariants; true when none is broken. */
export function conclude(facts: object, outcomes: readonly Outcome[], json: boolean): boolean {
  console.log(json ? JSON.stringify({ ...facts, outcomes }, null, 2) : textOf(facts, outcomes));
  return outcomes.every(({ violations }) => violations === 0);
}

function textOf(facts: object, outcomes: readonly Outcome[]): string {
  const lines = Object.entries(facts).map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
  const rows = outcomes.map(({ name, says, violations, examples }) =>
    [name, violations, says, examples.join(' ')].join(' | '),
  );
  const table = ['invariant | violations | what has to hold | examples', '--- | --: | --- | ---', ...rows];
  return [...lines, '', ...table.map((row) => `| ${row} |`)].join('\n');
}

const DRAIN_MS = 300_000;

/** Waits until no job waits or runs. A job that does not end in time shows in the table as lost. */
export async function drain(db: Database): Promise<void> {
  const { jobs } = tables;
  const deadline = performance.now() + DRAIN_MS;
  while (performance.now() < deadline) {
    const active = await db
      .select({ id: jobs.id })
      .from(jobs)
      .where(inArray(jobs.state, [...activeStates]))
      .catch(() => [{}]);
    if (active.length === 0) return;
    await sleep(500);
  }
}

/** An invariant of a scenario: the offenders by name. */
export const outcomeOf = (name: string, says: string, offenders: readonly string[]): Outcome => ({
  name,
  says,
  violations: offenders.length,
  examples: offenders.slice(0, 3),
});
