import path from 'node:path';
import { eq } from 'drizzle-orm';
import { beforeAll, describe, expect, it } from 'vitest';
import { withOutlines } from '@/app/(console)/projects/[project]/images/image-cells';
import { newId, tables } from '@/db';
import { makeDerivatives, requestDerivatives } from '@/lib/services/images/derivatives';
import { getImage } from '@/lib/services/images/get-image';
import { addGeneratedImage } from '@/lib/services/images/ingest/store-image';
import { listImages } from '@/lib/services/images/list-images';
import { findNearDuplicates } from '@/lib/services/images/lookalikes';
import { isSignedBlobUrl, localDisk } from '@/lib/services/storage';
import { useDatabase } from '../../support/database';
import { useHome } from '../../support/home';
import { declare } from '../jobs/worker';
import { scene } from './ingest/files';

const db = useDatabase();
const home = useHome();
const disk = () => localDisk(path.join(home(), 'blobs'));

async function newProject(): Promise<string> {
  const values = { name: 'Pictures', slug: `p-${newId()}` };
  const [row] = await db().insert(tables.projects).values(values).returning();
  return row?.id as string;
}

async function add(projectId: string, name: string, className: string | null, seed: number): Promise<string> {
  const bytes = await scene(96, 72, seed).png().toBuffer();
  return (await addGeneratedImage(db(), disk(), { projectId, name, className, origin: { seed }, bytes })).id;
}

describe('the list of images', () => {
  let projectId = '';
  const ids: string[] = [];

  beforeAll(async () => {
    projectId = await newProject();
    for (let n = 0; n < 7; n++)
      ids.push(await add(projectId, `pic_${n}%.png`, n % 2 ? 'cat' : n === 6 ? null : 'dog', n));
    await db()
      .update(tables.images)
      .set({ state: 'excluded' })
      .where(eq(tables.images.id, ids[1] as string));
    await add(await newProject(), 'elsewhere.png', 'cat', 99);
  });

  it('comes in pages that neither repeat nor leave out', async () => {
    const seen: string[] = [];
    let after: string | undefined;
    do {
      const page = await listImages(db(), { projectId, after, limit: 3 });
      expect(page).toMatchObject({ total: 7, isTotalCapped: false });
      seen.push(...page.images.map((image) => image.id));
      after = page.next ?? undefined;
    } while (after);
    expect(seen).toEqual([...ids].sort());
  });

  it('filters by class, by its absence, by state and by a part of the name', async () => {
    const names = async (filter: Partial<Parameters<typeof listImages>[1]>) =>
      (await listImages(db(), { projectId, ...filter })).images.map((image) => image.name).sort();
    expect(await names({ class: 'cat' })).toEqual(['pic_1%.png', 'pic_3%.png', 'pic_5%.png']);
    expect(await names({ class: '-' })).toEqual(['pic_6%.png']);
    expect(await names({ state: 'excluded' })).toEqual(['pic_1%.png']);
    expect(await names({ text: 'PIC_3' })).toEqual(['pic_3%.png']);
    expect(await names({ text: '%' })).toHaveLength(7);
    expect(await names({ text: 'i%p' })).toEqual([]);
  });

  it('gives each image a link to its thumbnail that needs no session', async () => {
    const { images } = await listImages(db(), { projectId });
    for (const { thumbnail } of images) {
      expect(thumbnail).toMatchObject({ width: 96, height: 72 });
      expect(isSignedBlobUrl(new URL(thumbnail?.url ?? '', 'http://host'))).toBe(true);
    }
  });
});

describe('one image', () => {
  it('is told with its files and where it came from', async () => {
    const projectId = await newProject();
    const imageId = await add(projectId, 'one.png', 'cat', 1);
    const image = await getImage(db(), { projectId, imageId });
    expect(image).toMatchObject({ name: 'one.png', className: 'cat', width: 96, height: 72, items: [] });
    expect(image.original.url).toBe(image.working?.url);
    expect(image.thumbnail).toMatchObject({ width: 96 });
    expect(image.history).toEqual([
      { at: image.createdAt, kind: 'image', by: null, workerId: null, text: 'generated' },
    ]);
  });

  it('is not found through another project', async () => {
    const imageId = await add(await newProject(), 'mine.png', 'cat', 1);
    await expect(getImage(db(), { projectId: await newProject(), imageId })).rejects.toMatchObject({
      kind: 'not-found',
    });
  });
});

describe('missing derivatives', () => {
  const context = () => ({
    db: db(),
    storage: disk(),
    jobId: newId(),
    signal: new AbortController().signal,
    progress: async () => {},
    log: async () => {},
  });

  it('are asked for once, and made', async () => {
    await declare(db(), ['derivatives']);
    const projectId = await newProject();
    const imageId = await add(projectId, 'bare.png', null, 1);
    const before = await getImage(db(), { projectId, imageId });
    await db().delete(tables.derivatives).where(eq(tables.derivatives.imageId, imageId));
    expect((await listImages(db(), { projectId })).images[0]?.thumbnail).toBeNull();

    await requestDerivatives(db(), projectId);
    await requestDerivatives(db(), projectId);
    const jobs = await db().select().from(tables.jobs).where(eq(tables.jobs.projectId, projectId));
    expect(jobs).toHaveLength(1);

    expect(await makeDerivatives(context(), { projectId })).toEqual({ made: 1, broken: 0 });
    const after = await getImage(db(), { projectId, imageId });
    expect(after.thumbnail).toEqual(before.thumbnail);
    expect(after.working).toEqual(before.working);
  });

  it('of an image whose file is gone mark it as broken', async () => {
    const projectId = await newProject();
    const imageId = await add(projectId, 'gone.png', null, 2);
    const [row] = await db().select().from(tables.images).where(eq(tables.images.id, imageId));
    await db().delete(tables.derivatives).where(eq(tables.derivatives.imageId, imageId));
    await disk().delete(row?.blob as string);
    expect(await makeDerivatives(context(), { projectId })).toEqual({ made: 0, broken: 1 });
    expect(await getImage(db(), { projectId, imageId })).toMatchObject({ state: 'broken' });
  });
});

describe('near duplicates', () => {
  it('are pairs whose hashes differ in at most three bits, the most alike first', async () => {
    const projectId = await newProject();
    const image = (name: string, perceptualHash: bigint, blob: string) => ({
      projectId,
      name,
      perceptualHash,
      blob,
      width: 1,
      height: 1,
      sourceSha256: name.padStart(64, '0'),
    });
    const blob = 'a'.repeat(64);
    await db().insert(tables.blobs).values({ sha256: blob, bytes: 1, mediaType: 'image/png' });
    await db()
      .insert(tables.images)
      .values([
        image('base', 0x0123456789abcdefn, blob),
        image('same', 0x0123456789abcdefn, blob),
        image('near', 0x0123456789abcdefn ^ (1n << 0n) ^ (1n << 20n) ^ (1n << 40n), blob),
        image('far', 0x0123456789abcdefn ^ 0b1111n, blob),
        image('negative', BigInt.asIntN(64, 0x0123456789abcdefn ^ (1n << 63n)), blob),
      ]);
    const pairs = await findNearDuplicates(db(), { projectId });
    const told = pairs.map((pair) => [[pair.name, pair.otherName].sort().join(' '), pair.distance]);
    expect(Object.fromEntries(told)).toEqual({
      'base same': 0,
      'base near': 3,
      'near same': 3,
      'base negative': 1,
      'negative same': 1,
    });
    expect(pairs[0]?.distance).toBe(0);
  });
});

it('the masks of a hundred thousand images that were scrolled past do not pile up', () => {
  const screens = Array.from({ length: 60 }, (_, screen) =>
    Array.from({ length: 100 }, (_, n) => `${screen}-${n}`),
  );
  const [first] = screens as [string[]];
  let known: ReturnType<typeof withOutlines> = new Map();
  // The first screen stays in sight, however old it is.
  for (const ids of screens) known = withOutlines(known, ids, [], new Set([...first, ...ids]));
  expect(known.size).toBe(2000);
  for (const id of [...first, ...(screens.at(-1) as string[])]) expect(known.has(id)).toBe(true);
  expect(known.has('1-0')).toBe(false);
});
