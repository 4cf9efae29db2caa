import { readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { inArray } from 'drizzle-orm';
import { type Db, tables } from '@/db';
import { readConfig } from '@/lib/config';

const { exports, jobs } = tables;
const day = 24 * 60 * 60 * 1000;

export const exportsFolder = (): string => path.join(readConfig().home, 'exports');

/** Removes what exports that are over left on this machine: at once when cancelled, after a day when they failed. */
export async function sweepExports(db: Db): Promise<number> {
  const folder = exportsFolder();
  const names = await readdir(folder).catch(() => []);
  const ids = [...new Set(names.map((name) => name.split('.')[0] ?? ''))].filter((id) =>
    /^[0-9a-f-]{36}$/.test(id),
  );
  if (ids.length === 0) return 0;
  const rows = await db
    .select({ id: exports.id, jobId: exports.jobId })
    .from(exports)
    .where(inArray(exports.id, ids));
  const jobIds = rows.flatMap(({ jobId }) => (jobId ? [jobId] : []));
  const states = new Map(
    (jobIds.length === 0
      ? []
      : await db.select({ id: jobs.id, state: jobs.state }).from(jobs).where(inArray(jobs.id, jobIds))
    ).map(({ id, state }) => [id, state]),
  );
  let swept = 0;
  for (const name of names) {
    const row = rows.find(({ id }) => name.startsWith(id));
    const state = row?.jobId ? states.get(row.jobId) : undefined;
    if (state === 'queued' || state === 'running' || state === 'retrying') continue;
    const file = path.join(folder, name);
    const found = await stat(file).catch(() => null);
    if (!found || (state === 'failed' && found.mtimeMs > Date.now() - day)) continue;
    await rm(file, { force: true });
    swept += 1;
  }
  return swept;
}
