import { and, count, eq, inArray, sql } from 'drizzle-orm';
import { type Db, tables } from '@/db';

const { images, items, jobs, memberships } = tables;

export interface ProjectCounts {
  images: number;
  items: { open: number; settled: number };
  people: { curator: number; researcher: number; worker: number };
  jobs: { active: number; failed: number };
}

/** Four statements for any number of projects. */
export async function countProjects(db: Db, ids: string[]): Promise<Map<string, ProjectCounts>> {
  const counts = new Map(ids.map((id) => [id, none()]));
  if (ids.length === 0) return counts;
  const at = (id: string | null) => counts.get(id ?? '') ?? none();
  const ofImages = await db
    .select({ id: images.projectId, n: count() })
    .from(images)
    .where(and(inArray(images.projectId, ids), eq(images.state, 'active')))
    .groupBy(images.projectId);
  const ofItems = await db
    .select({ id: items.projectId, state: items.state, n: count() })
    .from(items)
    .where(inArray(items.projectId, ids))
    .groupBy(items.projectId, items.state);
  const ofPeople = await db
    .select({ id: memberships.projectId, role: memberships.role, n: count() })
    .from(memberships)
    .where(inArray(memberships.projectId, ids))
    .groupBy(memberships.projectId, memberships.role);
  const ofJobs = await db
    .select({ id: jobs.projectId, failed: sql<boolean>`${jobs.state} = 'failed'`, n: count() })
    .from(jobs)
    .where(
      and(inArray(jobs.projectId, ids), inArray(jobs.state, ['queued', 'running', 'retrying', 'failed'])),
    )
    .groupBy(jobs.projectId, sql`${jobs.state} = 'failed'`);
  for (const row of ofImages) at(row.id).images = row.n;
  for (const row of ofItems) if (row.state !== 'withdrawn') at(row.id).items[row.state] = row.n;
  for (const row of ofPeople) at(row.id).people[row.role] = row.n;
  for (const row of ofJobs) at(row.id).jobs[row.failed ? 'failed' : 'active'] = row.n;
  return counts;
}

const none = (): ProjectCounts => ({
  images: 0,
  items: { open: 0, settled: 0 },
  people: { curator: 0, researcher: 0, worker: 0 },
  jobs: { active: 0, failed: 0 },
});
