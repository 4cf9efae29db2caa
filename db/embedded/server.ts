import { spawn } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { runAs } from './account';
import { binary } from './binaries';
import { ensureCluster, owner } from './cluster';
import { explain } from './explain';
import { type Place, placeFor } from './place';
import { commandLine, hasExited, isAlive } from './processes';
import { type SettingsName, settings } from './settings';

export interface EmbeddedServer extends Postmaster {
  place: Place;
  /** It was running already. */
  wasRunning: boolean;
  url(database?: string): string;
  stop(): Promise<void>;
}

/** Crash recovery after a power cut replays at most max_wal_size; this is ample for it. */
const readyWithinMs = 120_000;
const stopWithinMs = 30_000;

/**
 * Starts PostgreSQL on the data of this home (an existing folder), or joins the one that runs there; makes the
 * data if needed. A port is wished for when others already know the address.
 */
export async function startEmbedded(
  home: string,
  password: string,
  { kind = 'durable', port }: { kind?: SettingsName; port?: number } = {},
): Promise<EmbeddedServer> {
  const place = placeFor(home, password);
  ensureCluster(place, password, kind);
  const running = findPostmaster(place.data);
  const postmaster =
    running ?? (await launch(place, path.join(home, 'postgres.log'), kind, port ?? (await freePort())));
  const server = serverAt(place, postmaster, password, running !== undefined);
  await ready(server, home);
  await createDatabase(server);
  return server;
}

/** The running server of this home, if there is one. */
export function findEmbedded(home: string, password: string): EmbeddedServer | undefined {
  if (!existsSync(home)) return undefined;
  const place = placeFor(home, password);
  const running = findPostmaster(place.data);
  return running && serverAt(place, running, password, true);
}

function serverAt(place: Place, running: Postmaster, password: string, wasRunning: boolean): EmbeddedServer {
  return {
    ...running,
    place,
    wasRunning,
    url: (database = owner) => `postgres://${owner}:${password}@127.0.0.1:${running.port}/${database}`,
    async stop() {
      if (findPostmaster(place.data)?.pid !== running.pid) return;
      // SIGINT is PostgreSQL's fast shutdown: sessions are ended, everything is written.
      process.kill(running.pid, 'SIGINT');
      if (!(await hasExited(running.pid, stopWithinMs))) process.kill(running.pid, 'SIGQUIT');
    },
  };
}

async function launch(place: Place, logFile: string, kind: SettingsName, port: number): Promise<Postmaster> {
  if (existsSync(logFile)) renameSync(logFile, `${logFile}.previous`);
  const log = openSync(logFile, 'a', 0o600);
  const options = Object.entries({ ...settings[kind], port: String(port) });
  const child = spawn(
    binary(place.binaries, 'postgres'),
    ['-D', place.data, ...options.flatMap(([name, value]) => ['-c', `${name}=${value}`])],
    {
      ...runAs(place.account),
      // Its own process group: Ctrl-C in the terminal must not end it before those who use it.
      detached: true,
      stdio: ['ignore', log, log],
    },
  );
  closeSync(log);
  child.unref();
  const pid = await new Promise<number>((done, failed) => {
    child.once('spawn', () => done(child.pid as number));
    child.once('error', (error) => failed(explain('PostgreSQL does not start', String(error), place.data)));
  });
  return { pid, port };
}

/** 57P03 means "starting up" (or replaying its log after a crash): the one refusal worth waiting for. */
async function ready(server: EmbeddedServer, home: string): Promise<void> {
  const deadline = performance.now() + readyWithinMs;
  for (;;) {
    const refusal = await refusalOf(server.url('postgres'));
    if (!refusal) return;
    if (await hasExited(server.pid, 0)) {
      const said = readFileSync(path.join(home, 'postgres.log'), 'utf8');
      throw explain('PostgreSQL does not start', said, server.place.data);
    }
    const starting = refusal.code === '57P03' || refusal.code === 'ECONNREFUSED';
    if (!starting || performance.now() > deadline) {
      throw explain('PostgreSQL runs but refuses us', refusal.message, server.place.data);
    }
    await sleep(25);
  }
}

async function refusalOf(url: string): Promise<(Error & { code?: string }) | undefined> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  client.on('error', () => {});
  try {
    await client.connect();
    return undefined;
  } catch (error) {
    return error as Error & { code?: string };
  } finally {
    await client.end().catch(() => {});
  }
}

async function createDatabase(server: EmbeddedServer): Promise<void> {
  const client = new pg.Client({ connectionString: server.url('postgres') });
  await client.connect();
  try {
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [owner]);
    if (rowCount === 0) await client.query(`create database ${owner}`);
  } finally {
    await client.end();
  }
}

export function freePort(): Promise<number> {
  return new Promise((done, failed) => {
    const probe = createServer();
    probe.once('error', failed);
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as { port: number };
      probe.close(() => done(port));
    });
  });
}

interface Postmaster {
  pid: number;
  port: number;
}

const pidFile = (data: string) => path.join(data, 'postmaster.pid');

/**
 * The server that runs on this folder, also one left over from a start that was killed. The file of a server
 * that died is removed: PostgreSQL would refuse to start if its number now belongs to another process.
 */
function findPostmaster(data: string): Postmaster | undefined {
  let lines: string[];
  try {
    lines = readFileSync(pidFile(data), 'utf8').split('\n');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  // Lines: process, data folder, start time, port, socket folder, address, shared memory, state.
  const pid = Number(lines[0]);
  if (isAlive(pid) && commandLine(pid)?.includes(data)) return { pid, port: Number(lines[3]) };
  rmSync(pidFile(data), { force: true });
  return undefined;
}
