import { and, eq, sql } from 'drizzle-orm';
import { beforeAll, describe, expect, it } from 'vitest';
import { tables } from '@/db';
import { systemActor } from '@/lib/core/actor';
import type { DatasetImage } from '@/lib/core/formats/dataset';
import {
  area,
  boundingBox,
  decodeCounts,
  difference,
  emptyMask,
  encodeCounts,
  equals,
  intersection,
  rasterizeBox,
  union,
} from '@/lib/core/mask';
import { storeSplitTable } from '@/lib/services/datasets/freeze/assign-splits';
import { freezeVersion } from '@/lib/services/datasets/freeze/freeze-version';
import { planFreeze } from '@/lib/services/datasets/freeze/plan';
import { FreezeRequest } from '@/lib/services/datasets/freeze/request';
import { diffVersions } from '@/lib/services/datasets/versions/diff-versions';
import { getVersion, listVersions } from '@/lib/services/datasets/versions/list-versions';
import { describeVersion, noteVersion, tagVersion } from '@/lib/services/datasets/versions/mark-version';
import { findVersion, openVersion } from '@/lib/services/datasets/versions/open-version';
import { verifyVersion } from '@/lib/services/datasets/versions/verify-version';
import { storage } from '@/lib/services/storage';
import { useDatabase } from '../../support/database';
import { useHome } from '../../support/home';
import { labelledProject, patiently } from '../../support/labelled-project';

const db = useDatabase();
useHome();
const { images, labels, versions } = tables;
const rita = systemActor('Rita');

const freeze = (projectId: string, request: Partial<FreezeRequest> = {}) =>
  freezeVersion(patiently(db()), rita, { projectId, request: FreezeRequest.parse(request) });

const all = async (projectId: string, version: string): Promise<DatasetImage[]> => {
  const dataset = await openVersion(db(), storage(), await findVersion(db(), { projectId, version }));
  const found: DatasetImage[] = [];
  for await (const image of dataset.images()) found.push(image);
  return found;
};

async function* text(content: string) {
  yield Buffer.from(content);
}

describe('a researcher freezes a project', () => {
  let projectId = '';
  let pictures: Awaited<ReturnType<typeof labelledProject>>['pictures'] = [];

  beforeAll(async () => {
    ({ projectId, pictures } = await labelledProject(db(), {
      preset: 'part-imagenet',
      slug: 'birds',
      count: 33,
    }));
  });

  it('sees the plan before anything is written', async () => {
    const plan = await planFreeze(db(), storage(), { projectId, request: FreezeRequest.parse({}) });
    expect(plan.images).toBe(33);
    expect(plan.unlabelled).toBe(0);
    expect(plan.splits).toEqual(['train', 'val', 'test']);
    expect(plan.classes).toHaveLength(11);
    expect(plan.leaks.total).toBe(0);
    expect(await listVersions(db(), { projectId })).toEqual([]);
  });

  it('takes several classes, and images without a class where they are meant', async () => {
    const classesOf = async (classes: string[]) => {
      const request = FreezeRequest.parse({ filter: { classes } });
      const plan = await planFreeze(db(), storage(), { projectId, request });
      return plan.classes.map(({ className, total }) => [className, total]);
    };
    const some = [
      ['Car', 3],
      ['Fish', 3],
    ];
    expect((await classesOf(['Fish', 'Car'])).sort()).toEqual(some);
    expect((await classesOf(['Fish', 'Car', '-'])).sort()).toEqual(some);
    expect(FreezeRequest.safeParse({ filter: { classes: [] } }).success).toBe(false);
  });

  it('gets a version with every mask bit for bit as it was labelled', async () => {
    const frozen = await freeze(projectId, { licence: 'CC0', description: 'First.' });
    expect(frozen).toMatchObject({ number: 1, isNew: true });
    const found = await all(projectId, 'latest');
    expect(found.map(({ name }) => name)).toEqual([...found.map(({ name }) => name)].sort());
    for (const image of found) {
      const scene = pictures[Number(/(\d+)\.jpg$/.exec(image.name)?.[1])]?.scene;
      expect(image.className).toBe(scene?.className);
      const parts = image.objects[0]?.parts ?? [];
      const visible = Object.entries(scene?.partMasks ?? {}).filter(([, mask]) => area(mask) > 0);
      expect(parts.map(({ id }) => id).sort()).toEqual(visible.map(([id]) => id).sort());
      for (const part of parts)
        expect(equals(part.mask, scene?.partMasks[part.id] ?? emptyMask(1, 1))).toBe(true);
    }
    const version = await getVersion(db(), { projectId, version: '1' });
    expect(version.images).toBe(33);
    expect(version.card.counts.masks).toBe(version.labels);
    expect(version.card.licence).toBe('CC0');
    expect(JSON.stringify(version.card)).not.toContain('@');
  });

  it('is told that nothing has changed when it freezes again, and gets the same hash in another project', async () => {
    expect(await freeze(projectId, { licence: 'CC0' })).toMatchObject({ number: 1, isNew: false });
    const twin = await labelledProject(db(), { preset: 'part-imagenet', slug: 'twins', count: 33 });
    const [own, other] = [
      await findVersion(db(), { projectId, version: '1' }),
      await freeze(twin.projectId, { licence: 'CC0' }),
    ];
    expect(other.hash).toBe(own.hash);
  });

  it('deals a request that went through the queue as the preview did', async () => {
    const request = FreezeRequest.parse({ licence: 'CC0' });
    const kept = await db().execute<{ request: unknown }>(
      sql`select ${JSON.stringify(request)}::jsonb as request`,
    );
    const queued = kept.rows[0]?.request as { split: { shares: object } };
    // The database has an order of its own for the keys of an object.
    expect(Object.keys(queued.split.shares)).not.toEqual(['train', 'val', 'test']);
    expect(await freeze(projectId, queued as Partial<FreezeRequest>)).toMatchObject({ isNew: false });
  });

  it('finds a version by number, tag and beginning of its hash, and by nothing else', async () => {
    await tagVersion(db(), rita, { projectId, version: '1', tag: 'paper' });
    const { id, hash } = await findVersion(db(), { projectId, version: '1' });
    for (const name of ['latest', 'v1', 'paper', hash, hash.slice(0, 8), id])
      expect((await findVersion(db(), { projectId, version: name })).id, name).toBe(id);
    for (const name of ['2', 'draft', 'ffffff', "x' or true --"])
      await expect(findVersion(db(), { projectId, version: name }), name).rejects.toThrow('no such version');
  });

  it('never changes what was frozen, however labels go on, and shows the difference', async () => {
    const [label] = await db()
      .select()
      .from(labels)
      .where(and(eq(labels.projectId, projectId), eq(labels.target, 'Bird Body')))
      .limit(1);
    const [image] = await db()
      .select()
      .from(images)
      .where(eq(images.id, label?.imageId ?? ''));
    if (!label || !image) throw new Error('There is a bird with a body.');
    const before = (await all(projectId, '1')).find(({ name }) => name === image.name);
    const parts = before?.objects[0]?.parts ?? [];
    const [body, head] = ['Bird Body', 'Bird Head'].map((id) => parts.find((part) => part.id === id)?.mask);
    if (!body || !head) throw new Error('The bird has a body and a head.');
    const wider = union(body, head);
    await db().transaction(async (tx) => {
      await tx.update(labels).set({ isCurrent: false }).where(eq(labels.id, label.id));
      await tx.insert(labels).values({
        ...label,
        id: undefined,
        mask: encodeCounts(wider),
        area: area(wider),
        source: 'correction',
        confidence: 0.9,
        createdAt: undefined,
        isCurrent: true,
      });
    });
    const second = await freeze(projectId, { licence: 'CC0' });
    expect(second).toMatchObject({ number: 2, isNew: true });
    const still = (await all(projectId, '1')).find(({ name }) => name === image.name);
    expect(still).toEqual(before);
    const diff = await diffVersions(db(), storage(), { projectId, from: '1', to: '2' });
    expect(diff.images).toEqual({ added: 0, removed: 0, changed: 1, same: 32 });
    expect(diff.labels).toMatchObject({ added: 0, removed: 0, changed: 1 });
    expect(diff.changes).toMatchObject([{ image: image.name, target: 'Bird Body', kind: 'changed' }]);
    expect(diff.changes[0]?.iou).toBeCloseTo(area(body) / area(wider), 10);
    const back = await diffVersions(db(), storage(), { projectId, from: '2', to: '2' });
    expect(back.images).toEqual({ added: 0, removed: 0, changed: 0, same: 33 });
  });

  it('notices instances and flags that changed while the mask stayed the same', async () => {
    const [label] = await db()
      .select()
      .from(labels)
      .where(and(eq(labels.projectId, projectId), eq(labels.target, 'Bird Head'), eq(labels.isCurrent, true)))
      .limit(1);
    const [image] = await db()
      .select()
      .from(images)
      .where(eq(images.id, label?.imageId ?? ''));
    if (!label?.mask || !image) throw new Error('There is a bird with a head.');
    const head = decodeCounts(label.mask, image.height, image.width);
    const [x, y, width, height] = boundingBox(head);
    const left = intersection(head, rasterizeBox([x, y, width / 2, height], image.height, image.width));
    const instances = [left, difference(head, left)].map(encodeCounts);
    const last = await freeze(projectId, { licence: 'CC0', split: { kind: 'none' } });
    await db().transaction(async (tx) => {
      await tx.update(labels).set({ isCurrent: false }).where(eq(labels.id, label.id));
      const value = { ...(label.value as object), kind: 'mask', instances, flags: ['occluded'] };
      await tx
        .insert(labels)
        .values({ ...label, id: undefined, value, createdAt: undefined, isCurrent: true });
    });
    const next = await freeze(projectId, { licence: 'CC0', split: { kind: 'none' } });
    const diff = await diffVersions(db(), storage(), {
      projectId,
      from: String(last.number),
      to: String(next.number),
    });
    expect(diff.changes).toEqual([
      expect.objectContaining({
        target: 'Bird Head',
        kind: 'changed',
        iou: 1,
        words: '1 → 2 instances +occluded',
      }),
    ]);
    const { card } = await getVersion(db(), { projectId, version: String(next.number) });
    expect(card.counts.instances).toBe(card.counts.masks + 1);
    expect(card.counts.flags).toEqual({ occluded: 1 });
  });

  it('supersedes, notes and describes without touching the content', async () => {
    const { hash } = await findVersion(db(), { projectId, version: '1' });
    await noteVersion(db(), rita, { projectId, version: '1', text: 'Beaks were drawn.', supersededBy: '2' });
    await describeVersion(db(), rita, { projectId, version: '1', description: 'Replaced.' });
    const version = await getVersion(db(), { projectId, version: '1' });
    expect(version).toMatchObject({ supersededBy: 2, description: 'Replaced.', hash });
    await expect(
      noteVersion(db(), rita, { projectId, version: '2', text: '', supersededBy: '1' }),
    ).rejects.toThrow('newer');
    await expect(
      db()
        .update(versions)
        .set({ hash: 'f'.repeat(64) }),
    ).rejects.toThrow();
  });

  it('verifies a version, and hears of a picture that was damaged', async () => {
    expect(await verifyVersion(db(), storage(), { projectId, version: '1' })).toMatchObject({
      isWhole: true,
    });
    const [first] = await all(projectId, '1');
    const sha256 = first?.picture.sha256 ?? '';
    await storage().delete(sha256);
    const found = await verifyVersion(db(), storage(), { projectId, version: '1' });
    expect(found.isWhole).toBe(false);
    expect(found.problems).toEqual([`The picture of "${first?.name}" is missing or changed.`]);
  });
});

describe('splits', () => {
  let projectId = '';
  beforeAll(async () => {
    ({ projectId } = await labelledProject(db(), {
      preset: 'part-imagenet',
      slug: 'splits',
      count: 20,
      classes: ['Bird', 'Fish'],
    }));
  });
  const plan = (split: unknown) =>
    planFreeze(db(), storage(), { projectId, request: FreezeRequest.parse({ split }) });

  it('keeps groups together, and says which pairs a given table tears apart', async () => {
    const rows = await db().select().from(images).where(eq(images.projectId, projectId));
    const [a, b] = rows;
    await db()
      .update(images)
      .set({ groupKey: 'one film' })
      .where(eq(images.id, a?.id ?? ''));
    await db()
      .update(images)
      .set({ groupKey: 'one film' })
      .where(eq(images.id, b?.id ?? ''));
    expect((await plan({ kind: 'stratified' })).leaks.total).toBe(0);
    expect((await plan({ kind: 'group', by: 'wnid' })).leaks.total).toBe(0);
    const table = rows.map(({ name }, i) => `${name},${i === 0 ? 'test' : 'train'}`).join('\n');
    const { sha256 } = await storeSplitTable(db(), storage(), text(`name,split\n${table}`));
    const torn = await plan({ kind: 'file', sha256 });
    expect(torn.leaks.pairs).toMatchObject([{ why: 'same group' }]);
    await expect(freeze(projectId, { split: { kind: 'file', sha256 } })).rejects.toThrow('related images');
    const allowed = await freeze(projectId, { split: { kind: 'file', sha256 }, allowLeaks: true });
    const version = await getVersion(db(), { projectId, version: String(allowed.number) });
    expect(version.card.split.leaks).toBe(1);
  });

  it('refuses a table that does not name every image, or names one twice', async () => {
    const { sha256 } = await storeSplitTable(db(), storage(), text('only.jpg,train\n'));
    await expect(plan({ kind: 'file', sha256 })).rejects.toThrow('20 images are not in the table');
    for (const bad of ['', 'a.jpg,train\na.jpg,test\n', 'a.jpg\n', '"a'])
      await expect(storeSplitTable(db(), storage(), text(bad)), bad).rejects.toThrow();
  });

  it('deals folds of one size and warns of a class that a part lacks', async () => {
    const folds = await plan({ kind: 'folds', folds: 5 });
    expect(folds.splits).toEqual(['fold-1', 'fold-2', 'fold-3', 'fold-4', 'fold-5']);
    const sizes = folds.splits.map((name) =>
      folds.classes.reduce((sum, { bySplit }) => sum + (bySplit[name] ?? 0), 0),
    );
    expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1);
    const apart = await plan({ kind: 'group', by: 'class' });
    expect(apart.warnings.join(' ')).toContain('none in');
  });

  it('keeps together what looks alike over several steps, and names the pair that a table tears apart', async () => {
    const rows = await db().select().from(images).where(eq(images.projectId, projectId));
    const steps = [0n, 7n, 63n];
    for (const [i, hash] of steps.entries())
      await db()
        .update(images)
        .set({ perceptualHash: 0x5a5a_0000_0000_0000n + hash })
        .where(eq(images.id, rows[i + 5]?.id ?? ''));
    expect((await plan({ kind: 'stratified', seed: 'chain' })).leaks.total).toBe(0);
    const last = rows[7]?.name;
    const table = rows.map(({ name }) => `${name},${name === last ? 'test' : 'train'}`).join('\n');
    const { sha256 } = await storeSplitTable(db(), storage(), text(table));
    const torn = (await plan({ kind: 'file', sha256 })).leaks.pairs.filter(
      ({ why }) => why === 'looks alike',
    );
    expect(torn.map(({ a, b }) => [a.name, b.name].sort())).toEqual([[rows[6]?.name, last].sort()]);
  });

  it('takes no other file of the store for a table', async () => {
    const [image] = await db().select().from(images).where(eq(images.projectId, projectId)).limit(1);
    await expect(plan({ kind: 'file', sha256: image?.blob })).rejects.toThrow('no longer exists');
  });

  it('counts how many images a new split moves from where to where', async () => {
    const older = await freeze(projectId, { split: { kind: 'none' } });
    const newer = await freeze(projectId, { split: { kind: 'stratified', seed: 'moved' } as never });
    const [from, to] = [String(older.number), String(newer.number)];
    const before = new Map((await all(projectId, from)).map(({ name, split }) => [name, split]));
    const expected: Record<string, number> = {};
    for (const { name, split } of await all(projectId, to)) {
      const key = `split: ${before.get(name)} to ${split}`;
      if (split !== before.get(name)) expected[key] = (expected[key] ?? 0) + 1;
    }
    const { moves } = await diffVersions(db(), storage(), { projectId, from, to });
    expect(Object.keys(expected).length).toBeGreaterThan(1);
    expect(
      Object.fromEntries(moves.map((move) => [`${move.what}: ${move.from} to ${move.to}`, move.images])),
    ).toEqual(expected);
  });

  it('says that there is nothing to freeze where nothing matches', async () => {
    await expect(freeze(projectId, { filter: { class: 'Boat' } })).rejects.toThrow('No active images match');
  });
});
