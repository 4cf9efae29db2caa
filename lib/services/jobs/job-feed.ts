import { inArray } from 'drizzle-orm';
import pg from 'pg';
import { type Database, tables } from '@/db';
import { activeStates, jobChannel } from './job-row';
import { type JobView, selectJobs } from './list-jobs';

type Listener = (jobs: JobView[]) => void;

/** Changes are gathered for this long: one statement then serves every job and every listener. */
const gatherMs = 250;
const reconnectMs = 1000;
/** More jobs than this do not change at once in any installation that this page is drawn for. */
const mostJobs = 500;

export interface JobFeed {
  subscribe(listener: Listener): () => void;
}

/** Tells what happens to jobs: one connection that listens per process, open while anybody watches. */
export function createJobFeed(db: Database): JobFeed {
  const listeners = new Set<Listener>();
  const changed = new Set<string>();
  let client: pg.Client | undefined;
  let gathering: NodeJS.Timeout | undefined;

  const tell = (jobs: JobView[]) => {
    if (jobs.length > 0) for (const listener of listeners) listener(jobs);
  };

  const flush = async () => {
    gathering = undefined;
    const ids = [...changed].slice(0, mostJobs);
    for (const id of ids) changed.delete(id);
    if (changed.size > 0) gather();
    tell(await selectJobs(db, inArray(tables.jobs.id, ids), mostJobs).catch(() => []));
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
      // What changed while nobody listened.
      tell(await selectJobs(db, inArray(tables.jobs.state, [...activeStates]), mostJobs));
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
