/**
 * Measures how the cost of handing out a batch grows with the table of items. Fills a throw-away database, takes
 * batches one after the other, and prints the times, their ratio to the smallest size, and the plan of the query.
 *
 *   npm run bench:take-batch -- [--sizes 1000,100000,1000000] [--takes 100] [--json]
 */
import { parseArgs } from 'node:util';
import { eq, sql } from 'drizzle-orm';
import { type Database, newId, tables } from '@/db';
import { systemActor, type UserActor } from '@/lib/services/access';
import { newestText } from '@/lib/services/crowd/consent/texts';
import { returnBatch, takeBatch } from '@/lib/services/crowd/work';
import { seedQuery } from '@/lib/services/crowd/work/pick-images';
import { createProject } from '@/lib/services/projects';
import { cloneDatabase, startTestServer } from '@/test/support/server';

const { values: options } = parseArgs({
  options: {
    sizes: { type: 'string', default: '1000,100000,1000000' },
    takes: { type: 'string', default: '100' },
    json: { type: 'boolean', default: false },
  },
});

interface Filled {
  size: number;
  db: Database;
  drop: () => Promise<void>;
  projectId: string;
  stageId: string;
  times: number[];
  /** Milliseconds of the statement within the server. */
  alone: number[];
  plan: string;
}

const BATCH = 20;
const PARTS_PER_IMAGE = 10;
const GOLD = 50;

const server = await startTestServer();
const sizes: Filled[] = [];
try {
  for (const size of options.sizes.split(',').map(Number)) sizes.push(await fillDatabase(size));
  // In turns, so that whatever else the machine does hits all sizes alike.
  for (let n = 0; n < Number(options.takes); n++) for (const filled of sizes) await takeOnce(filled);
  report();
} finally {
  for (const filled of sizes) await filled.drop();
  await server.stop();
}

function report(): void {
  const smallest = at(sizes[0]?.times ?? [], 0.5);
  const rows = sizes.map(({ size, times, alone, plan }) => ({
    items: size,
    medianMs: at(times, 0.5),
    p95Ms: at(times, 0.95),
    ratio: at(times, 0.5) / smallest,
    statementMs: at(alone, 0.5),
    usesIndex: !/Seq Scan on items/.test(plan),
  }));
  if (options.json) {
    console.log(JSON.stringify({ ratio: rows.at(-1)?.ratio, rows }));
    return;
  }
  console.log('| items | take a batch, median ms | ratio | p95 ms | statement alone, median ms | items by |');
  console.log('| --- | --- | --- | --- | --- | --- |');
  for (const { items, medianMs, p95Ms, ratio, statementMs, usesIndex } of rows) {
    const numbers = [medianMs, ratio, p95Ms, statementMs].map((value) => value.toFixed(2));
    const cells = [items.toLocaleString('en'), ...numbers, usesIndex ? 'index' : 'sequential scan'];
    console.log(`| ${cells.join(' | ')} |`);
  }
  console.log(`\nPlan at the largest size:\n${sizes.at(-1)?.plan}`);
}

function at(list: number[], share: number): number {
  const sorted = [...list].sort((a, b) => a - b);
  return sorted[Math.floor(share * (sorted.length - 1))] ?? Number.NaN;
}

async function fillDatabase(size: number): Promise<Filled> {
  const { db, drop } = await cloneDatabase(server.adminUrl);
  return { size, db, drop, times: [], alone: [], plan: '', ...(await fill(db, size)) };
}

/** A batch is taken by a new worker and given back, so that there is always work. */
async function takeOnce(filled: Filled): Promise<void> {
  const { db, projectId, stageId, times, alone } = filled;
  const actor = await newWorker(db, projectId);
  filled.plan = await explain(db, stageId, actor.userId);
  alone.push(Number(/Execution Time: ([\d.]+)/.exec(filled.plan)?.[1]));
  const start = performance.now();
  const batch = await takeBatch(db, actor, { stageId });
  times.push(performance.now() - start);
  if (!batch) throw new Error('There is work left.');
  await returnBatch(db, actor, { batchId: batch.id });
}

async function fill(db: Database, size: number) {
  const project = await createProject(db, systemActor('bench'), {
    name: 'Bench',
    slug: 'bench',
    preset: 'part-imagenet',
  });
  await db
    .update(tables.projects)
    .set({ state: 'collecting', policy: { maskExam: { isRequired: false } } })
    .where(eq(tables.projects.id, project.id));
  const [stage] = await db.select().from(tables.stages).where(eq(tables.stages.projectId, project.id));
  const stageId = stage?.id as string;
  await db.execute(
    sql`insert into blobs (sha256, bytes, media_type) values (repeat('0', 64), 1, 'image/png')`,
  );
  await db.execute(sql`
    insert into images (id, project_id, name, width, height, source_sha256, blob, perceptual_hash)
    select gen_random_uuid(), ${project.id}, n::text, 64, 48, n::text, repeat('0', 64), n
    from generate_series(1, ${Math.ceil(size / PARTS_PER_IMAGE)}::int) n`);
  await db.execute(sql`
    insert into items (id, project_id, stage_id, image_id, schema_version_id, target, priority)
    select gen_random_uuid(), ${project.id}, ${stageId}, i.id, ${project.schemaVersionId}, part::text, part % 3
    from images i cross join generate_series(1, ${PARTS_PER_IMAGE}) part limit ${size}`);
  await addGold(db, project.id, stageId);
  await db.execute(sql`vacuum analyze`);
  return { projectId: project.id, stageId };
}

/** One question of each of some images is gold, so that batches come with hidden checks. */
async function addGold(db: Database, projectId: string, stageId: string): Promise<void> {
  await db.execute(sql`
    insert into gold (id, project_id, item_id, value, state)
    select gen_random_uuid(), ${projectId}, id, '{"kind":"nothing"}', 'active'
    from (select distinct on (image_id) id from items where stage_id = ${stageId} limit ${GOLD}) i`);
  await db.execute(sql`
    update items set state = 'settled', answered = 1 where id in (select item_id from gold)`);
}

async function newWorker(db: Database, projectId: string): Promise<UserActor> {
  const userId = newId();
  const email = `${userId}@example.org`;
  await db.insert(tables.users).values({ id: userId, name: 'Worker', email });
  await db.insert(tables.memberships).values({ projectId, userId, role: 'worker' });
  const { id: consentTextId } = await newestText(db, projectId);
  await db.insert(tables.consents).values({ projectId, workerId: userId, consentTextId, kind: 'agreed' });
  const credentialId = newId();
  const rest = { isAdmin: false, scopes: null, requestId: null };
  return { kind: 'user', userId, name: 'Worker', email, via: 'session', credentialId, ...rest };
}

/** Runs the query for its plan and takes it back. */
async function explain(db: Database, stageId: string, workerId: string): Promise<string> {
  const lines: string[] = [];
  const query = seedQuery({ stageId, workerId, size: BATCH });
  await db
    .transaction(async (tx) => {
      const plan = await tx.execute<{ 'QUERY PLAN': string }>(sql`explain (analyze, costs off) ${query}`);
      lines.push(...plan.rows.map((row) => row['QUERY PLAN']));
      tx.rollback();
    })
    .catch(() => {});
  return lines.join('\n');
}
