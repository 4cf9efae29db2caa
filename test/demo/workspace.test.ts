import { and, eq, sql } from 'drizzle-orm';
import { beforeAll, describe, expect, it } from 'vitest';
import { tables } from '@/db';
import { validateAttributes } from '@/lib/core/schema';
import { rival10 } from '@/lib/core/schema/presets';
import { demoPeople } from '@/lib/demo/people';
import { ensureDemo, resetDemo } from '@/lib/demo/workspace';
import type { UserActor } from '@/lib/services/access';
import { listWork } from '@/lib/services/crowd/work';
import { busiestWorkers } from '@/lib/services/curation/overview/busiest-workers';
import { readDashboard } from '@/lib/services/curation/overview/read-dashboard';
import { checkRules } from '@/lib/services/invariants/check-rules';
import { useDatabase } from '../support/database';
import { useHome } from '../support/home';

const db = useDatabase();
useHome();

const size = { gold: 36, chunk: 10, parts: 22, few: 5 };

const count = async (table: string) => {
  const result = await db().execute<{ n: number }>(sql.raw(`select count(*)::int as n from ${table}`));
  return result.rows[0]?.n ?? 0;
};

describe('the demo workspace', () => {
  beforeAll(async () => {
    await ensureDemo({ db: db(), size });
  });

  it('has a RIVAL10 project in mid-collection with every kind of row a page shows', async () => {
    for (const table of [
      'items',
      'batches',
      'leases',
      'answers',
      'gold',
      'checks',
      'exams',
      'labels',
      'ledger',
    ]) {
      expect(await count(table), table).toBeGreaterThan(0);
    }
    const [project] = await db()
      .select()
      .from(tables.projects)
      .where(eq(tables.projects.slug, 'rival10-demo'));
    if (!project) throw new Error('The demo has its project.');
    const overview = await readDashboard(db(), project, { seesCrowd: true });
    expect(overview.stages.map((stage) => stage.kind)).toEqual(['attributes', 'object-mask', 'part-mask']);
    for (const stage of overview.stages) {
      expect(stage.settled).toBeGreaterThan(0);
      expect(stage.settled).toBeLessThan(stage.total);
    }
    expect(overview.quality.now?.n).toBeGreaterThan(10);
    expect(overview.quality.now?.value).toBeGreaterThan(0.5);
    const workers = await busiestWorkers(db(), project.id, 100);
    expect(workers.filter((worker) => worker.answers > 20).length).toBeGreaterThan(3);
  });

  it('has a Part-ImageNet project with a label for every part of every picture', async () => {
    const [project] = await db()
      .select()
      .from(tables.projects)
      .where(eq(tables.projects.slug, 'part-imagenet-demo'));
    if (!project) throw new Error('The demo has its project.');
    const overview = await readDashboard(db(), project, { seesCrowd: true });
    expect(overview.classes).toHaveLength(11);
    expect(overview.stages.every((stage) => stage.settled === stage.total)).toBe(true);
    const { labels } = tables;
    const labelled = await db().$count(labels, and(eq(labels.projectId, project.id), labels.isCurrent));
    expect(labelled).toBe(overview.stages.reduce((sum, stage) => sum + stage.total, 0));
  });

  it('offends no invariant (gold was settled and had no label)', async () => {
    const outcomes = await checkRules(db());
    expect(outcomes.length).toBeGreaterThan(10);
    expect(outcomes.filter(({ violations }) => violations > 0)).toEqual([]);
  });

  it('has only answers that a person could have submitted', async () => {
    const rows = await db().select({ value: tables.answers.value }).from(tables.answers);
    const forms = rows.filter(({ value }) => value.kind === 'attributes');
    expect(forms.length).toBeGreaterThan(50);
    for (const { value } of forms) {
      expect(validateAttributes(rival10, value.choices as Record<string, string[]>)).toEqual([]);
    }
  });

  it('pays each batch once and never shows one item twice to a worker', async () => {
    const unpaid = await db().execute(
      sql`select b.id from batches b left join ledger l on l.source_id = b.id where b.state = 'submitted' and l.id is null`,
    );
    expect(unpaid.rows).toEqual([]);
    const twice = await db().execute(
      sql`select item_id, worker_id from leases group by 1, 2 having count(*) > 1`,
    );
    expect(twice.rows).toEqual([]);
  });

  it('lets both workers who can sign in work at once, in every stage', async () => {
    const [wanda, wen] = [demoPeople.worker1, demoPeople.worker2];
    for (const { email } of [wanda, wen]) {
      const [user] = await db().select().from(tables.users).where(eq(tables.users.email, email));
      const actor = { kind: 'user', userId: user?.id, scopes: null } as UserActor;
      const offers = await listWork(db(), actor);
      expect(offers.map(({ stage, gate, supply }) => [stage.kind, gate, supply !== 'none'])).toEqual([
        ['attributes', null, true],
        ['object-mask', null, true],
        ['part-mask', null, true],
      ]);
    }
  });

  it('has scored every item of every exam, and counted how often gold was shown', async () => {
    const missing = await db().execute(sql`
      select l.id from leases l join batches b on b.id = l.batch_id and b.kind = 'exam'
      left join checks c on c.lease_id = l.id where c.passed is null`);
    expect(missing.rows).toEqual([]);
    const wrong = await db().execute(sql`
      select g.id from gold g where g.exposures <> (select count(*) from checks c where c.gold_id = g.id)`);
    expect(wrong.rows).toEqual([]);
  });

  it('is made once: a second start changes nothing', async () => {
    const before = await count('images');
    const { signIns } = await ensureDemo({ db: db(), size });
    expect(await count('images')).toBe(before);
    expect(signIns.map((person) => person.email)).toEqual(Object.values(demoPeople).map((one) => one.email));
  });

  it('is made anew on request, with the evidence of the old one gone', async () => {
    const [before] = await db().select().from(tables.projects).where(eq(tables.projects.isDemo, true));
    const images = await count('images');
    await resetDemo({ db: db(), size });
    expect(await count('images')).toBe(images);
    const left = await db().select().from(tables.answers).limit(1);
    expect(left).toHaveLength(1);
    const old = await db()
      .select()
      .from(tables.projects)
      .where(eq(tables.projects.id, before?.id ?? ''));
    expect(old).toEqual([]);
  });

  it('goes on after a start that was killed half-way', async () => {
    await db()
      .update(tables.projects)
      .set({ state: 'draft' })
      .where(eq(tables.projects.slug, 'part-imagenet-demo'));
    const images = await count('images');
    await ensureDemo({ db: db(), size });
    expect(await count('images')).toBe(images);
  });
});
