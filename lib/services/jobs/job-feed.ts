import { inArray } from 'drizzle-orm';
import pg from 'pg';
import { type Database, tables } from '@/db';
import { activeStates, jobChannel } from './job-row';
import { type JobView, selectJobs } from './list-jobs';

type Listener = (jobs: JobView[]) => void;

/** Changes are batched for this long, so that one statement serves all jobs and subscribers. */
const gatherMs = 250;
const reconnectMs = 1000;
/** Upper limit of changed jobs per statement. */
const MAX_JOBS = 500;

export interface JobFeed {
  subscribe(listener: Listener): () => void;
}

/** Streams job changes over one LISTEN connection per process, open while there are subscribers. */
export function createJobFeed(db: Database): JobFeed {
  const listeners = new Set<Listener>();
  const changed = new Set<string>();
  let client: pg.Client | undefined;
  let gathering: NodeJS.Timeout | undefined;

  const notify = (jobs: JobView[]) => {
    if (jobs.length > 0) for (const listener of listeners) listener(jobs);
  };

  const flush = async () => {
    gathering = undefined;
    const ids = [...changed].slice(0, MAX_JOBS);
    for (const id of ids) changed.delete(id);
    if (changed.size > 0) gather();
    notify(await selectJobs(db, inArray(tables.jobs.id, ids), MAX_JOBS).catch(() => []));
  };

  const gather = () => {
    gathering ??= setTimeout(flush, gatherMs);
  };

  const connect = async () => {
    const fresh = new pg.Client(db.$client.options);
    client = fresh;
    const again = () => {
      if (client !== fresh) return;
      client = undefined;
      setTimeout(() => listeners.size > 0 && !client && connect(), reconnectMs).unref();
    };
    fresh.on('error', again);
    fresh.on('end', again);
    fresh.on('notification', ({ payload }) => {
      if (!payload) return;
      changed.add(payload);
      gather();
    });
    try {
      await fresh.connect();
      await fresh.query(`listen ${jobChannel}`);
      // Changes that happened before the connection was open.
      notify(await selectJobs(db, inArray(tables.jobs.state, [...activeStates]), MAX_JOBS));
    } catch {
      fresh.end().catch(() => {});
      again();
    }
  };

  const disconnect = () => {
    const old = client;
    client = undefined;
    old?.end().catch(() => {});
    clearTimeout(gathering);
    gathering = undefined;
    changed.clear();
  };

  return {
    subscribe(listener) {
      listeners.add(listener);
      if (!client) void connect();
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0) disconnect();
      };
    },
  };
}

/** One feed per pool, also across Next's module reloads in development. */
const held = globalThis as { tesseraJobFeeds?: WeakMap<Database, JobFeed> };

export function jobFeed(db: Database): JobFeed {
  held.tesseraJobFeeds ??= new WeakMap();
  const feed = held.tesseraJobFeeds.get(db) ?? createJobFeed(db);
  held.tesseraJobFeeds.set(db, feed);
  return feed;
}
