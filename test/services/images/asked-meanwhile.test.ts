import { eq, inArray, sql } from 'drizzle-orm';
import { beforeAll, expect, it } from 'vitest';
import { connect, type Database, newId, tables } from '@/db';
import { type DatasetSchema, partsOfClass } from '@/lib/core/schema';
import { schemaPreset } from '@/lib/core/schema/presets';
import type { UserActor } from '@/lib/services/access';
import { askFirstQuestions, askSomeFirstQuestions, takeBatch } from '@/lib/services/crowd/work';
import { changeImages } from '@/lib/services/images/change-images';
import type { JobContext } from '@/lib/services/jobs';
import { createProject } from '@/lib/services/projects';
import { askQuestions } from '@/workers/jobs/crowd';
import { useDatabase } from '../../support/database';
import { insertLease } from '../../support/rows';
import { join, person, tests } from '../access/people';
import { addImage, agree } from '../crowd/workshop';
import { declare } from '../jobs/support/worker';

const db = useDatabase();
const { images, items, leases, projects, stages } = tables;
const schema = schemaPreset('part-imagenet') as DatasetSchema;
const [before, after] = schema.classes.slice(0, 2).map(({ id }) => id) as [string, string];
let cora: UserActor;

beforeAll(async () => {
  cora = await person(db(), 'Cora');
  await declare(db(), ['ask-questions']);
});

/** A project whose questions depend on the class of the image. */
async function zoo() {
  const { id: projectId } = await createProject(db(), tests, {
    name: 'Zoo',
    slug: `z${newId().slice(-10)}`,
    preset: 'part-imagenet',
  });
  await db().update(projects).set({ state: 'collecting' }).where(eq(projects.id, projectId));
  const [project] = await db().select().from(projects).where(eq(projects.id, projectId));
  const [stage] = await db().select().from(stages).where(eq(stages.projectId, projectId));
  return {
    projectId,
    stageId: stage?.id as string,
    schemaVersionId: project?.schemaVersionId as string,
  };
}

const rename = (projectId: string, ids: string[], on: Database = db()) =>
  changeImages(on, cora, { projectId, change: { kind: 'class', className: after }, scope: { ids } });

async function somebodyWaits() {
  for (;;) {
    const { rows } = await db().execute(sql`select 1 from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`);
    if (rows.length > 0) return;
  }
}

it('a question that is asked and handed out while its image is given another class is not lost', async () => {
  const shop = await zoo();
  const imageId = await addImage(db(), shop.projectId, before);
  const wim = await person(db(), 'Wim');
  const itemId = newId();
  let changing: ReturnType<typeof rename> | undefined;
  await db().transaction(async (tx) => {
    await tx.insert(items).values({ id: itemId, imageId, target: 'x', ...shop });
    changing = rename(shop.projectId, [imageId]);
    await somebodyWaits();
    await insertLease(tx, shop, { itemId, workerId: wim.userId });
  });
  expect(await changing).toMatchObject({ counts: { changed: 0, kept: 1 } });
  expect(await db().select().from(leases).where(eq(leases.itemId, itemId))).toHaveLength(1);
  const [image] = await db().select().from(images).where(eq(images.id, imageId));
  expect(image?.className).toBe(before);
});

it('classes are changed while questions are asked and handed out: every image is asked by the class it has', async () => {
  const shop = await zoo();
  const pool = connect(process.env.DATABASE_URL as string, { max: 8 });
  const wim = await person(db(), 'Wim');
  await join(db(), wim, shop.projectId, 'worker');
  await agree(db(), wim, shop.projectId);
  const policy = { maskExam: { isRequired: false }, checkRate: 0, batchSize: { attributes: 1, masks: 1 } };
  await db().update(projects).set({ policy }).where(eq(projects.id, shop.projectId));
  const { projectId, stageId } = shop;
  const ids: string[] = [];
  for (let race = 0; race < 12; race++) {
    const some = await Promise.all([1, 2, 3, 4].map(() => addImage(db(), projectId, before)));
    ids.push(...some);
    await Promise.all([
      pool.transaction((tx) => askFirstQuestions(tx, { projectId })),
      rename(projectId, some.slice(0, 2), pool),
      rename(projectId, some.slice(1, 3), pool),
      takeBatch(pool, wim, { stageId }),
      pool.transaction((tx) => askSomeFirstQuestions(tx, { projectId, after: null })),
    ]);
  }
  await pool.$client.end();
  await db().transaction((tx) => askFirstQuestions(tx, { projectId }));
  const now = await db().select().from(images).where(inArray(images.id, ids));
  const asked = await db().select().from(items).where(eq(items.projectId, projectId));
  for (const image of now) {
    const targets = asked.filter((item) => item.imageId === image.id).map(({ target }) => target);
    expect(targets.sort()).toEqual(
      partsOfClass(schema, image.className as string)
        .map(({ id }) => id)
        .sort(),
    );
  }
  expect(now.some(({ className }) => className === after)).toBe(true);
  const counted = await db().execute<{ wrong: number }>(sql`
    select count(*)::int as wrong from items i where i.project_id = ${projectId}
      and i.leased <> (select count(*) from leases l where l.item_id = i.id and l.state = 'open')`);
  expect(counted.rows[0]?.wrong).toBe(0);
});

it('the job that asks goes through the images in steps, shows how far it is, and carries on where it was stopped', async () => {
  const shop = await zoo();
  const { projectId } = shop;
  await db().execute(sql`
    with one as (select blob from images limit 1)
    insert into images (id, project_id, name, class_name, width, height, source_sha256, blob, perceptual_hash)
    select gen_random_uuid(), ${projectId}, n::text, ${before}, 8, 8, ${projectId} || n::text, one.blob, 0
    from one, generate_series(1, 450) n`);
  const seen: number[] = [];
  const stop = new AbortController();
  const context = (signal: AbortSignal) =>
    ({
      db: db(),
      signal,
      progress: async (done: number) => {
        seen.push(done);
        stop.abort();
      },
    }) as unknown as JobContext;
  await expect(askQuestions.run(context(stop.signal), { projectId })).rejects.toThrow();
  expect(seen).toEqual([200]);
  expect(await askQuestions.run(context(new AbortController().signal), { projectId })).toEqual({
    images: 250,
  });
  const parts = partsOfClass(schema, before).length;
  expect(await db().$count(items, eq(items.projectId, projectId))).toBe(450 * parts);
});
