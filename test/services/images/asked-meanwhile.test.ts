import { eq, inArray, sql } from 'drizzle-orm';
import { beforeAll, expect, it } from 'vitest';
import { connect, type Database, newId, tables } from '@/db';
import { type DatasetSchema, partsOfClass } from '@/lib/core/schema';
import { schemaPreset } from '@/lib/core/schema/presets';
import type { UserActor } from '@/lib/services/access';
import { askFirstQuestions, askSomeFirstQuestions, takeBatch } from '@/lib/services/crowd/work';
import { changeImages, runImageChange } from '@/lib/services/images/change-images';
import type { JobContext } from '@/lib/services/jobs';
import { createProject } from '@/lib/services/projects';
import { askQuestions } from '@/workers/jobs/crowd';
import { useDatabase } from '../../support/database';
import { somebodyWaits } from '../../support/meanwhile';
import { insertLease } from '../../support/rows';
import { join, person, tests } from '../access/people';
import { addImage, agree } from '../crowd/workshop';
import { jobIn } from '../curation/audit/rated';
import { declare } from '../jobs/worker';
import { type Gallery, gallery } from './gallery';

const { blobs, images, items, leases, projects, stages, versionImages, versions } = tables;

const db = useDatabase();
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

it('a question that is asked and handed out while its image is given another class is not lost', async () => {
  const shop = await zoo();
  const imageId = await addImage(db(), shop.projectId, before);
  const wim = await person(db(), 'Wim');
  const itemId = newId();
  let changing: ReturnType<typeof rename> | undefined;
  await db().transaction(async (tx) => {
    await tx.insert(items).values({ id: itemId, imageId, target: 'x', ...shop });
    changing = rename(shop.projectId, [imageId]);
    await somebodyWaits(db());
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

type Writer = Parameters<Parameters<ReturnType<typeof db>['transaction']>[0]>[0];

/** The version as its freezing writes it, once the manifest is there. */
async function freeze(tx: Writer, shop: Gallery): Promise<string> {
  const versionId = newId();
  const hash = `${newId()}${newId()}`.replaceAll('-', '');
  await tx.insert(blobs).values({ sha256: hash, bytes: 1, mediaType: 'application/x-ndjson' });
  await tx.insert(versions).values({
    id: versionId,
    projectId: shop.projectId,
    number: 1,
    hash,
    manifest: hash,
    schemaVersionId: shop.schemaVersionId,
    imageCount: shop.imageIds.length,
    labelCount: 0,
    card: {},
  });
  const found = await tx.select().from(images).where(eq(images.projectId, shop.projectId));
  await tx.insert(versionImages).values(
    found.map(({ id, blob }, position) => ({
      versionId,
      position,
      imageId: id,
      split: 'train',
      className: null,
      blob,
    })),
  );
  return versionId;
}

const left = (shop: Gallery) => db().$count(images, eq(images.projectId, shop.projectId));

it('a version that was frozen after images were to be deleted keeps them', async () => {
  const shop = await gallery(db(), 3);
  const versionId = await db().transaction((tx) => freeze(tx, shop));
  // The job was asked for before the version was there.
  const counts = await runImageChange(jobIn(db()), {
    projectId: shop.projectId,
    change: { kind: 'delete' },
    scope: { filter: {} },
    author: tests,
    until: shop.imageIds.at(-1) as string,
  });
  expect(counts).toEqual({ images: 3, changed: 0, same: 0, kept: 3 });
  expect(await db().$count(versionImages, eq(versionImages.versionId, versionId))).toBe(3);
  expect(await left(shop)).toBe(3);
});

it('a version that is being frozen while images are deleted keeps them', async () => {
  const shop = await gallery(db(), 3);
  const cora = await person(db(), 'Cora');
  let deleting: ReturnType<typeof changeImages> | undefined;
  const versionId = await db().transaction(async (tx) => {
    const made = await freeze(tx, shop);
    deleting = changeImages(db(), cora, {
      projectId: shop.projectId,
      change: { kind: 'delete' },
      scope: { ids: shop.imageIds },
    });
    await somebodyWaits(db());
    return made;
  });
  expect(await deleting).toMatchObject({ counts: { changed: 0, kept: 3 } });
  const { rows } = await db().execute(sql`select 1 from version_images where version_id = ${versionId}`);
  expect(rows).toHaveLength(3);
});
