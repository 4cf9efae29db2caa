import { and, eq, sql } from 'drizzle-orm';
import { type Database, tables } from '@/db';
import { enqueue } from '@/lib/services/jobs/enqueue';
import { endVisit } from './end-visit';
import { recruiterOf } from './registry';

const { arrivals, recruitments, settings } = tables;

/** Studies with somebody on a visit; also closed ones, because those who are in may finish. */
export async function studiesWithVisits(db: Database): Promise<string[]> {
  const rows = await db
    .selectDistinct({ id: arrivals.recruitmentId })
    .from(arrivals)
    .where(eq(arrivals.state, 'active'));
  return rows.map(({ id }) => id);
}

/** Asks the marketplace which visits of a study have ended, and takes back the work that is still out on them. */
export async function reclaimVisits(db: Database, recruitmentId: string): Promise<number> {
  const [recruitment] = await db.select().from(recruitments).where(eq(recruitments.id, recruitmentId));
  if (!recruitment) return 0;
  const open = await db
    .select()
    .from(arrivals)
    .where(and(eq(arrivals.recruitmentId, recruitmentId), eq(arrivals.state, 'active')));
  const ended = await recruiterOf(recruitment.recruiter).reclaim(
    recruitment,
    open.map(({ externalSession }) => externalSession),
  );
  let count = 0;
  for (const { session, state } of ended) {
    const visit = open.find(({ externalSession }) => externalSession === session);
    if (visit && (await db.transaction((tx) => endVisit(tx, visit, state)))) count += 1;
  }
  return count;
}

/** Starts the asking every few minutes while somebody is on a visit, whichever of many workers thinks of it first. */
export async function scheduleReclaiming(db: Database): Promise<boolean> {
  if ((await studiesWithVisits(db)).length === 0) return false;
  return db.transaction(async (tx) => {
    const [due] = await tx
      .insert(settings)
      .values({ key: 'visits.lastAsked', value: sql`to_jsonb(now())` })
      .onConflictDoUpdate({
        target: settings.key,
        set: { value: sql`to_jsonb(now())`, updatedAt: sql`now()` },
        setWhere: sql`${settings.updatedAt} < now() - interval '5 minutes'`,
      })
      .returning({ key: settings.key });
    if (!due) return false;
    await enqueue(tx, 'reclaim-visits', {}, { title: 'Ask marketplaces who has left' });
    return true;
  });
}
