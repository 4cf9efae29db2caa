import { eq, inArray, sql } from 'drizzle-orm';
import { beforeAll, describe, expect, it } from 'vitest';
import { toggled } from '@/app/(console)/projects/[project]/images/use-selection';
import { newId, tables } from '@/db';
import type { UserActor } from '@/lib/services/access';
import { changeImages, MAX_IMMEDIATE } from '@/lib/services/images/change-images';
import { getImage } from '@/lib/services/images/get-image';
import type { ImageChange } from '@/lib/services/images/image-change';
import { keepLookalike, listLookalikes } from '@/lib/services/images/list-lookalikes';
import { requestLookalikes } from '@/lib/services/images/lookalikes';
import { changeImages as changeJob, lookalikes as lookalikesJob } from '@/workers/jobs/images';
import { useDatabase } from '../../support/database';
import { insertLease } from '../../support/rows';
import { person } from '../access/people';
import { declare, until, withWorker } from '../jobs/worker';
import { type Gallery, gallery, labelled } from './gallery';

const db = useDatabase();
let cora: UserActor;

beforeAll(async () => {
  cora = await person(db(), 'Cora');
  await declare(db(), ['ask-questions']);
});

const act = (shop: Gallery, change: ImageChange, ids: readonly string[]) =>
  changeImages(db(), cora, { projectId: shop.projectId, change, scope: { ids: [...ids] } });

const imagesOf = (shop: Gallery) =>
  db()
    .select()
    .from(tables.images)
    .where(eq(tables.images.projectId, shop.projectId))
    .orderBy(tables.images.id);

/** Somebody answered the question about an image. */
async function answer(shop: Gallery, imageId: string) {
  const worker = await person(db(), 'Wim');
  const { itemId } = await labelled(db(), shop, imageId, { target: 'wing' });
  const { leaseId } = await insertLease(db(), shop, { itemId, workerId: worker.userId });
  await db()
    .insert(tables.answers)
    .values({
      id: newId(),
      leaseId,
      itemId,
      workerId: worker.userId,
      value: { kind: 'nothing' },
      activeMs: 7000,
    });
  return worker;
}

/** Returns once a query on this database waits for the lock of another. */
async function somebodyWaits() {
  for (;;) {
    const { rows } = await db().execute(sql`select 1 from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`);
    if (rows.length > 0) return;
  }
}

const collecting = (shop: Gallery) =>
  db().update(tables.projects).set({ state: 'collecting' }).where(eq(tables.projects.id, shop.projectId));

async function giveClasses(shop: Gallery, ...ids: string[]) {
  const document = {
    classes: ids.map((id) => ({ id, name: id })),
    attributes: [],
    attributeGroups: [],
    parts: [],
  };
  const version = { id: newId(), projectId: shop.projectId, number: 2, document: document as never };
  await db().insert(tables.schemaVersions).values(version);
  await db()
    .update(tables.projects)
    .set({ schemaVersionId: version.id })
    .where(eq(tables.projects.id, shop.projectId));
}

describe('a curator changes a few images', () => {
  it('excludes two, restores one, and their histories and the audit log tell it', async () => {
    const shop = await gallery(db(), 3);
    const [a, b] = shop.imageIds as [string, string];
    const first = await act(shop, { kind: 'state', state: 'excluded', reason: 'Blurred.' }, [a, b]);
    expect(first).toEqual({ total: 2, jobId: null, counts: { images: 2, changed: 2, same: 0, kept: 0 } });
    await act(shop, { kind: 'state', state: 'active' }, [a]);
    expect(await act(shop, { kind: 'state', state: 'active' }, [a])).toMatchObject({
      counts: { changed: 0, same: 1 },
    });
    expect((await imagesOf(shop)).map((image) => image.state)).toEqual(['active', 'excluded', 'active']);
    const { history } = await getImage(db(), { projectId: shop.projectId, imageId: a });
    expect(history.map(({ by, text }) => [by, text])).toEqual([
      [null, 'added as 0.png'],
      ['Cora', 'excluded: Blurred.'],
      ['Cora', 'restored: A curator restored it.'],
    ]);
    const trail = await db()
      .select()
      .from(tables.auditLog)
      .where(eq(tables.auditLog.projectId, shop.projectId));
    expect(trail.map((row) => row.verb).sort()).toEqual([
      'images.exclude',
      'images.restore',
      'images.restore',
    ]);
  });

  it('sets a class that the schema has, except where work was done under another', async () => {
    const shop = await gallery(db(), 3);
    await giveClasses(shop, 'cat', 'dog');
    await answer(shop, shop.imageIds[1] as string);
    await expect(act(shop, { kind: 'class', className: 'zebra' }, shop.imageIds)).rejects.toMatchObject({
      kind: 'invalid',
    });
    const { counts } = await act(shop, { kind: 'class', className: 'dog' }, shop.imageIds);
    expect(counts).toEqual({ images: 3, changed: 2, same: 0, kept: 1 });
    expect((await imagesOf(shop)).map((image) => image.className)).toEqual(['dog', 'cat', 'dog']);
  });

  it('deletes what nobody answered; what somebody did stays', async () => {
    const shop = await gallery(db(), 3);
    await collecting(shop);
    const [a, b] = shop.imageIds as [string, string];
    await labelled(db(), shop, a, { target: 'wing' });
    await answer(shop, b);
    const { counts } = await act(shop, { kind: 'delete' }, [a, b]);
    expect(counts).toEqual({ images: 2, changed: 1, same: 0, kept: 1 });
    expect((await imagesOf(shop)).map((image) => image.name)).toEqual(['1.png', '2.png']);
    const left = await db()
      .select()
      .from(tables.labels)
      .where(inArray(tables.labels.imageId, [a, b]));
    expect(left.map((label) => label.imageId)).toEqual([b]);
  });

  it('deletes in a draft, and the gold that somebody made there is not lost', async () => {
    const shop = await gallery(db(), 2);
    const [a, b] = shop.imageIds as [string, string];
    const { itemId } = await labelled(db(), shop, a, { target: 'wing' });
    await db().insert(tables.gold).values({ id: newId(), projectId: shop.projectId, itemId, value: {} });
    await answer(shop, b);
    const { counts } = await act(shop, { kind: 'delete' }, [a, b]);
    expect(counts).toEqual({ images: 2, changed: 1, same: 0, kept: 1 });
    expect((await imagesOf(shop)).map((image) => image.id)).toEqual([a]);
  });

  it('sets a class while a question is being handed out, and the worker keeps it', async () => {
    const shop = await gallery(db(), 1);
    await giveClasses(shop, 'cat', 'dog');
    const { projectId, stageId, schemaVersionId } = shop;
    const [imageId] = shop.imageIds as [string];
    const itemId = newId();
    await db().insert(tables.items).values({ id: itemId, projectId, stageId, imageId, schemaVersionId });
    const wim = await person(db(), 'Wim');
    let changing: ReturnType<typeof act> | undefined;
    await db().transaction(async (tx) => {
      await insertLease(tx, shop, { itemId, workerId: wim.userId });
      changing = act(shop, { kind: 'class', className: 'dog' }, [imageId]);
      await somebodyWaits();
    });
    expect(await changing).toMatchObject({ counts: { changed: 0, kept: 1 } });
    expect(await db().select().from(tables.leases).where(eq(tables.leases.itemId, itemId))).toHaveLength(1);
  });

  it('reaches no image of another project', async () => {
    const [mine, other] = [await gallery(db(), 1), await gallery(db(), 1)];
    await expect(act(mine, { kind: 'delete' }, other.imageIds)).rejects.toMatchObject({ kind: 'invalid' });
    expect(await imagesOf(other)).toHaveLength(1);
  });
});

describe('a curator changes everything that a filter leaves', () => {
  it('and un-ticking one image of all never leaves only that one selected', () => {
    const [none, all] = [
      { all: false, ids: new Set<string>() },
      { all: true, ids: new Set<string>() },
    ];
    expect(toggled(all, 'a')).toEqual(none);
    expect(toggled(toggled(none, 'a'), 'b')).toEqual({ all: false, ids: new Set(['a', 'b']) });
    expect(toggled(toggled(none, 'a'), 'a')).toEqual(none);
  });

  it('and a job does it, with progress and an outcome', async () => {
    const shop = await gallery(db(), 2 * MAX_IMMEDIATE + 10);
    await withWorker(db(), [changeJob], async () => {
      const { total, jobId, counts } = await changeImages(db(), cora, {
        projectId: shop.projectId,
        change: { kind: 'group', groupKey: 'night' },
        scope: { filter: { class: 'cat' } },
      });
      expect([total, counts]).toEqual([MAX_IMMEDIATE + 5, null]);
      const job = await until(db(), jobId as string, 'done');
      expect(job).toMatchObject({ title: `Group ${MAX_IMMEDIATE + 5} images`, startedBy: cora.userId });
      expect(job.result).toEqual({ images: total, changed: total, same: 0, kept: 0 });
    });
    const grouped = (await imagesOf(shop)).filter((image) => image.groupKey === 'night');
    expect(new Set(grouped.map((image) => image.className))).toEqual(new Set(['cat']));
  });
});

describe('images that look alike', () => {
  it('are put into groups by a job, and the curator keeps one of each', async () => {
    const shop = await gallery(db(), 6);
    const hash = (index: number, value: bigint) =>
      db()
        .update(tables.images)
        .set({ perceptualHash: value })
        .where(eq(tables.images.id, shop.imageIds[index] as string));
    await hash(1, 0n);
    await hash(3, 0b111n);
    // Four bits from the first of the group, though only one from its other member.
    await hash(5, 0b1111n);
    await hash(0, 0xff00ff00ff00ff0n);
    await withWorker(db(), [lookalikesJob], async () => {
      const { jobId } = await requestLookalikes(db(), cora, shop.projectId);
      const job = await until(db(), jobId, 'done');
      expect(job.result).toEqual({ images: 6, groups: 1, lookalikes: 2 });
    });
    const found = await listLookalikes(db(), { projectId: shop.projectId });
    const [group] = found.groups;
    expect(found).toMatchObject({ open: 1, next: null });
    expect(group).toMatchObject({ id: shop.imageIds[1], size: 2, active: 2 });
    expect(group?.images.map((image) => image.name)).toEqual(['1.png', '3.png']);
    const kept = { projectId: shop.projectId, imageId: shop.imageIds[3] as string };
    expect((await keepLookalike(db(), cora, kept)).counts).toMatchObject({ changed: 1 });
    expect((await listLookalikes(db(), { projectId: shop.projectId })).groups).toEqual([]);
    const { history, state } = await getImage(db(), {
      projectId: shop.projectId,
      imageId: shop.imageIds[1] as string,
    });
    expect(state).toBe('excluded');
    expect(history.at(-1)?.text).toBe('excluded: Looks like 3.png, which was kept.');
    await expect(keepLookalike(db(), cora, kept)).rejects.toMatchObject({ kind: 'conflict' });
  });
});

describe('the history of an image', () => {
  it('tells questions, answers and labels; who may not see the crowd learns no name', async () => {
    const shop = await gallery(db(), 1);
    const [imageId] = shop.imageIds as [string];
    const wim = await answer(shop, imageId);
    const told = async (namesWorkers: boolean) =>
      (await getImage(db(), { projectId: shop.projectId, imageId, namesWorkers })).history;
    const named = await told(true);
    expect(named.map((entry) => entry.kind).sort()).toEqual(['answer', 'image', 'item', 'label', 'lease']);
    expect(named.find((entry) => entry.kind === 'answer')).toMatchObject({
      by: 'Wim',
      workerId: wim.userId,
      text: 'answered: Attributes, wing – nothing to label, 7 s',
    });
    const unnamed = await told(false);
    expect(unnamed.map((entry) => entry.kind).sort()).toEqual(['answer', 'image', 'item', 'label']);
    expect(JSON.stringify(unnamed)).not.toMatch(new RegExp(`Wim|${wim.userId}`));
  });
});
