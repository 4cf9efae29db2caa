import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { sql } from 'drizzle-orm';
import { aptGet } from '@/bin/tools';
import { type Database, forgetDatabase } from '@/db';
import { type EmbeddedServer, findEmbedded, startEmbedded } from '@/db/embedded';
import { runAs } from '@/db/embedded/account';
import { binary } from '@/db/embedded/binaries';
import { settings } from '@/db/embedded/settings';
import { ensureSecrets } from '@/lib/config/secrets';
import type { Outcome } from '@/lib/services/invariants/check-rules';
import { disturbWork } from './crowd-at-work';
import { conclude, NotPossible, onInstance, outcomeOf, say } from './instance';

/** The clocks that can be moved by themselves: that of the database, and that of web and worker. */
const clocks = ['database', 'apps'] as const;
type Clock = (typeof clocks)[number];

/** Which clocks jump: all of them, as when the time of a machine is corrected, or one against the other. */
const jumps: { clocks: readonly Clock[]; by: '+1h' | '-1h' }[] = [
  { clocks, by: '+1h' },
  { clocks, by: '-1h' },
  { clocks: ['apps'], by: '+1h' },
  { clocks: ['apps'], by: '-1h' },
  { clocks: ['database'], by: '+1h' },
  { clocks: ['database'], by: '-1h' },
];

const libraries = ['/usr/lib/x86_64-linux-gnu', '/usr/lib/aarch64-linux-gnu', '/usr/lib'].map((folder) =>
  path.join(folder, 'faketime', 'libfaketimeMT.so.1'),
);

const HOUR_SECONDS = 3600;
const TOLERANCE_MS = 60_000;
const SHOWN_WITHIN_MS = 5_000;
/** Longer than a jump: one that outlasts a lease ends it, as an hour would. */
const LEASE_MINUTES = 90;

/**
 * Moves the clocks of a working instance by an hour, forward and back (libfaketime; the clock of this machine is
 * left alone). No lease may be lost or doubled, nothing paid twice, no job done twice, no session without end.
 */
export async function run(args: string[]): Promise<boolean> {
  const { values } = parseArgs({
    args,
    options: {
      seconds: { type: 'string', default: '20' },
      crowd: { type: 'string', default: '12' },
      speed: { type: 'string', default: '6' },
      seed: { type: 'string', default: '1' },
      keep: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
    },
  });
  const library = libraries.find((file) => existsSync(file));
  if (!library)
    throw new NotPossible(
      `libfaketime is missing. ${aptGet('libfaketime') ?? 'Install it'}, then try again.`,
    );
  const home = mkdtempSync(path.join(os.tmpdir(), 'tessera-chaos-'));
  // PostgreSQL may run as another user, who has to pass through and to read its clock.
  chmodSync(home, 0o711);
  const fileOf = (clock: Clock) => path.join(home, `clock.${clock}`);
  const set = (clock: Clock, offset: string) => {
    writeFileSync(fileOf(clock), `${offset}\n`, { mode: 0o644 });
    chmodSync(fileOf(clock), 0o644);
  };
  for (const clock of clocks) set(clock, '+0');
  const env = (clock: Clock) => ({
    LD_PRELOAD: library,
    FAKETIME_TIMESTAMP_FILE: fileOf(clock),
    FAKETIME_NO_CACHE: '1',
    // What measures a duration asks the other clock, which a correction of the time leaves alone.
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
    DONT_FAKE_MONOTONIC: '1',
  });
  // The starter joins a database that runs already: so it has a clock of its own.
  const database = await startDatabaseWith(home, ensureSecrets(home).databasePassword, env('database'));
  const pauseMs = 1000 * Number(values.seconds);
  const work = {
    crowd: Number(values.crowd),
    speed: Number(values.speed),
    seed: Number(values.seed),
    seconds: 3600,
    pictures: 600,
    policy: { leaseMinutes: LEASE_MINUTES },
  };
  const options = { home, env: env('apps') };
  try {
    return await onInstance(
      values,
      { web: 1, workers: 1 },
      async (instance) => {
        const extra: Outcome[] = [];
        const unmoved: string[] = [];
        const { facts, outcomes } = await disturbWork(instance, work, async (floor, db) => {
          let answers = floor.done.length;
          const worked: string[] = [];
          for (const { clocks: moved, by } of jumps) {
            await sleep(pauseMs);
            for (const clock of moved) set(clock, by);
            say(`${moved.join(' and ')}: ${by}`);
            unmoved.push(...(await unmovedClocks(db, instance.urls[0] as string, moved, by)));
            await sleep(pauseMs);
            for (const clock of moved) set(clock, '+0');
            say(`${moved.join(' and ')}: back; ${floor.done.length - answers} answers since the last jump`);
            worked.push(`${moved.join('+')} ${by}: ${floor.done.length - answers} answers`);
            answers = floor.done.length;
          }
          await sleep(pauseMs);
          const says =
            'the database and the web server told the time that was set: without that nothing is proved';
          extra.push(outcomeOf('clocks moved', says, unmoved), ...(await checkClocks(db)));
          return { jumps: 2 * jumps.length, worked };
        });
        return conclude(facts, [...outcomes, ...extra], values.json);
      },
      options,
    );
  } finally {
    await forgetDatabase();
    await database.stop();
  }
}

/** Lists the clocks that do not show what they were set to within a few seconds. Node caches its Date header for one. */
async function unmovedClocks(...given: Parameters<typeof wrongClocks>): Promise<string[]> {
  const until = performance.now() + SHOWN_WITHIN_MS;
  for (;;) {
    const wrong = await wrongClocks(...given);
    if (wrong.length === 0 || performance.now() > until) return wrong;
    await sleep(200);
  }
}

async function wrongClocks(
  db: Database,
  url: string,
  moved: readonly Clock[],
  by: '+1h' | '-1h',
): Promise<string[]> {
  const { rows } = await db.execute<{ ms: number }>(
    sql`select extract(epoch from clock_timestamp())::float8 * 1000 as ms`,
  );
  const { headers } = await fetch(`${url}/api/health`);
  const shown: Record<Clock, number> = {
    database: rows[0]?.ms ?? 0,
    apps: Date.parse(headers.get('date') ?? ''),
  };
  const wanted = (by === '+1h' ? 1 : -1) * 1000 * HOUR_SECONDS;
  return clocks
    .filter((clock) => {
      const offset = shown[clock] - Date.now() - (moved.includes(clock) ? wanted : 0);
      return !(Math.abs(offset) < TOLERANCE_MS);
    })
    .map((clock) => `${clock} at ${moved.join('+')} ${by}`);
}

/** What a moved clock could have left behind. */
async function checkClocks(db: Database): Promise<Outcome[]> {
  const ids = async (offenders: ReturnType<typeof sql>) =>
    (await db.execute<{ id: string }>(offenders)).rows.map(({ id }) => id);
  return [
    outcomeOf(
      'no endless session',
      'a session made while a clock was an hour ahead ends at most an hour late',
      await ids(sql`
        select id from sessions
        where expires_at > created_at + interval '31 days' + make_interval(secs => ${HOUR_SECONDS})`),
    ),
    outcomeOf(
      'no endless lease',
      'a lease ends at most an hour late',
      await ids(sql`
        select id from batches where state = 'leased'
          and leased_until > now() + make_interval(mins => ${LEASE_MINUTES}, secs => ${HOUR_SECONDS})`),
    ),
    outcomeOf(
      'no lease was lost',
      'no batch ran out: its lease is longer than a jump',
      await ids(sql`select id from batches where state = 'expired'`),
    ),
    outcomeOf(
      'no job is stuck',
      'a job that failed or was begun anew because of a jump is done',
      await ids(sql`select id from jobs where state = 'failed'`),
    ),
  ];
}

/**
 * Starts the embedded PostgreSQL of a home with more variables in its environment, which the product never passes on
 * to it. A starter that finds it running joins it.
 */
async function startDatabaseWith(
  home: string,
  password: string,
  env: Record<string, string>,
): Promise<EmbeddedServer> {
  const made = await startEmbedded(home, password);
  await made.stop();
  const { place, port } = made;
  const account = runAs(place.account);
  const options = Object.entries({ ...settings.durable, port: String(port) });
  spawn(
    binary(place.binaries, 'postgres'),
    ['-D', place.data, ...options.flatMap(([name, value]) => ['-c', `${name}=${value}`])],
    { ...account, env: { ...account.env, ...env }, detached: true, stdio: 'ignore' },
  ).unref();
  while (!findEmbedded(home, password)) await sleep(100);
  return startEmbedded(home, password);
}
