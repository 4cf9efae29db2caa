import { and, eq, gt, sql } from 'drizzle-orm';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  createSavedFilter,
  deleteSavedFilter,
  listSavedFilters,
  renameSavedFilter,
} from '@/app/api/v1/slices';
import { newId, tables } from '@/db';
import { scopeIds } from '@/lib/services/access';
import { findNeighbours } from '@/lib/services/images/get-image';
import { type ImageFilter, imageQuery, readImageFilter } from '@/lib/services/images/image-filter';
import {
  imagesQuery,
  listImages,
  listPageEnds,
  pageSize,
  readImages,
} from '@/lib/services/images/list-images';
import { matchingImages } from '@/lib/services/images/matching-images';
import { call, withKey } from '../../app/api/call';
import { useDatabase } from '../../support/database';
import { insertLease, insertUser } from '../../support/rows';
import { join, keyOf, person, project } from '../access/people';
import { countStatements } from '../access/statements';
import { type Gallery, gallery, labelled } from './gallery';

const db = useDatabase();
let shop: Gallery;
let wanda = '';
const ids: string[] = [];

const names = async (filter: ImageFilter) =>
  (await readImages(db(), { projectId: shop.projectId, ...filter })).images.map((image) => image.name);

beforeAll(async () => {
  shop = await gallery(db(), 8);
  ids.push(...shop.imageIds);
  wanda = await insertUser(db());
  const [a, b, c, d] = ids as [string, string, string, string];
  await labelled(db(), shop, a, { target: 'wing', agreement: 0.4, risk: 0.9 });
  await labelled(db(), shop, b, { target: 'wing', agreement: 0.95, risk: 0.1 });
  await labelled(db(), shop, b, { target: 'beak', agreement: 0.3, risk: 0.7 });
  const { itemId } = await labelled(db(), shop, c, { choices: { texture: ['spots'], colour: ['none'] } });
  const { leaseId } = await insertLease(db(), shop, { itemId, workerId: wanda });
  await db()
    .insert(tables.answers)
    .values({
      id: newId(),
      leaseId,
      itemId,
      workerId: wanda,
      value: { kind: 'nothing' },
      activeMs: 1000,
    });
  await db()
    .update(tables.images)
    .set({ width: 2000, height: 900, groupKey: 'berlin', lookalikeOf: d })
    .where(eq(tables.images.id, d));
});

describe('a curator narrows the images down', () => {
  it('by what is labelled, what it shows and how sure one can be of it', async () => {
    expect(await names({ labels: 'some' })).toEqual(['0.png', '1.png', '2.png']);
    expect(await names({ labels: 'none' })).toHaveLength(5);
    expect(await names({ target: 'wing' })).toEqual(['0.png', '1.png']);
    expect(await names({ attribute: 'spots' })).toEqual(['2.png']);
    expect(await names({ attribute: 'none of ours' })).toEqual([]);
    expect(await names({ agreementTo: 0.5 })).toEqual(['0.png', '1.png']);
    expect(await names({ riskFrom: 0.8 })).toEqual(['0.png']);
    // It is the wing that people must disagree about, not some other part.
    expect(await names({ target: 'wing', agreementTo: 0.5 })).toEqual(['0.png']);
  });

  it('by who answered, by size, by group and by what looks alike', async () => {
    expect(await names({ worker: wanda })).toEqual(['2.png']);
    expect(await names({ worker: newId() })).toEqual([]);
    expect(await names({ sideFrom: 900 })).toEqual(['3.png']);
    expect(await names({ sideTo: 899, text: '3' })).toEqual([]);
    expect(await names({ group: 'berlin' })).toEqual(['3.png']);
    expect(await names({ group: '-' })).toHaveLength(7);
    expect(await names({ lookalikes: 'any' })).toEqual(['3.png']);
    expect(await names({ lookalikes: ids[0] })).toEqual([]);
  });

  it('and walks from one match to the next', async () => {
    const at = (imageId: string | undefined) =>
      findNeighbours(db(), { projectId: shop.projectId, imageId: imageId ?? '', filter: { labels: 'some' } });
    expect(await at(ids[1])).toEqual({ before: ids[0], after: ids[2] });
    expect(await at(ids[7])).toEqual({ before: ids[2], after: null });
  });

  it('and the address says the same as the filter, without what nobody understands', () => {
    const filter: ImageFilter = { class: '-', riskFrom: 0.25, sideTo: 400, lookalikes: 'any', text: 'ä&=' };
    expect(readImageFilter(Object.fromEntries(imageQuery(filter)))).toEqual(filter);
    const odd = { riskFrom: '7', state: 'gone', worker: 'x', text: '', class: ['a', 'b'], more: 'x' };
    expect(readImageFilter(odd)).toEqual({});
  });
});

describe('a long list', () => {
  let long: Gallery;

  beforeAll(async () => {
    long = await gallery(db(), 3 * pageSize + 7);
    // Others share the table, or reading all of it would be the best plan there is.
    await gallery(db(), 10_000);
    await db().execute(sql`analyze`);
  });

  it('tells its length and the ends of its pages, from which every page can be had', async () => {
    const { projectId } = long;
    const ends = await listPageEnds(db(), { projectId, filter: {} });
    expect(ends).toMatchObject({ total: 3 * pageSize + 7, size: pageSize });
    expect(ends.ends).toHaveLength(3);
    const seen: string[] = [];
    for (let page = 0; page <= ends.ends.length; page++) {
      const { images } = await readImages(db(), {
        projectId,
        after: ends.ends[page - 1],
        until: ends.ends[page],
        limit: pageSize,
      });
      seen.push(...images.map((image) => image.id));
    }
    expect(seen).toEqual(long.imageIds);
  });

  it('takes one statement a page, first or last, short or long', async () => {
    const { projectId } = long;
    const read = (limit: number, after?: string) => () => readImages(db(), { projectId, limit, after });
    expect(await countStatements(db(), read(2))).toBe(1);
    expect(await countStatements(db(), read(pageSize, long.imageIds[300]))).toBe(1);
    expect(await countStatements(db(), () => listPageEnds(db(), { projectId, filter: {} }))).toBe(1);
    expect(await countStatements(db(), () => listImages(db(), { projectId, limit: 200 }))).toBe(2);
  });

  it.each<[string, ImageFilter]>([
    ['no condition', {}],
    ['class', { class: 'cat' }],
    ['state', { state: 'active' }],
    ['part of the name', { text: '17' }],
    ['no labels yet', { labels: 'none' }],
    ['mask of a part', { target: 'wing' }],
    ['attribute', { attribute: 'spots' }],
    ['worker', { worker: '00000000-0000-7000-8000-000000000000' }],
    ['agreement and risk', { agreementTo: 0.5, riskFrom: 0.1 }],
    ['size', { sideFrom: 100 }],
    ['lookalikes', { lookalikes: 'any' }],
  ])('is never read through the images of other projects: %s', async (_, filter) => {
    const where = and(
      matchingImages(long.projectId, filter),
      gt(tables.images.id, long.imageIds[250] as string),
    );
    const { rows } = await db().execute(sql`explain ${imagesQuery(db(), where, 50)}`);
    expect(rows.map((row) => row['QUERY PLAN']).join('\n')).not.toMatch(/Seq Scan on images/);
  });
});

const keys: Record<string, Record<string, string>> = {};
let params = { project: '' };

beforeAll(async () => {
  const birds = await project(db(), 'Birds');
  params = { project: birds.slug };
  for (const name of ['Cora', 'Rita']) {
    const who = await person(db(), name);
    await join(db(), who, birds.id, name === 'Cora' ? 'curator' : 'researcher');
    keys[name] = withKey(await keyOf(db(), who, ...scopeIds));
  }
});

describe('saved filters', () => {
  it('are saved, had again, renamed and deleted by their owner, and are nobody else’s', async () => {
    const headers = keys.Cora;
    const filter = { class: 'cat', riskFrom: 0.5 };
    const made = await call(createSavedFilter, { headers, params, body: { name: 'Risky cats', filter } });
    expect(made).toMatchObject({ status: 201, json: { name: 'Risky cats', filter } });
    const at = { ...params, filter: made.json.id };
    expect((await call(listSavedFilters, { headers: keys.Rita, params })).json.filters).toEqual([]);
    expect((await call(deleteSavedFilter, { headers: keys.Rita, params: at })).status).toBe(404);
    const renamed = { headers, params: at, body: { name: 'Cats' } };
    expect((await call(renameSavedFilter, renamed)).status).toBe(204);
    await call(createSavedFilter, { headers, params, body: { name: 'Dogs', filter: { class: 'dog' } } });
    expect((await call(renameSavedFilter, { ...renamed, body: { name: 'Dogs' } })).status).toBe(409);
    // Saved again under the same name: replaced.
    await call(createSavedFilter, { headers, params, body: { name: 'Dogs', filter: { labels: 'none' } } });
    const { json } = await call(listSavedFilters, { headers, params });
    expect(
      json.filters.map((entry: { name: string; filter: unknown }) => [entry.name, entry.filter]),
    ).toEqual([
      ['Cats', filter],
      ['Dogs', { labels: 'none' }],
    ]);
    expect((await call(deleteSavedFilter, { headers, params: at })).status).toBe(204);
  });

  it('can be replaced by one of the same name when there are as many as one may have', async () => {
    const headers = keys.Rita;
    const save = (name: string, labels: string) =>
      call(createSavedFilter, { headers, params, body: { name, filter: { labels } } });
    for (let n = 0; n < 50; n++) expect((await save(`Filter ${n}`, 'none')).status).toBe(201);
    expect((await save('One more', 'none')).status).toBe(409);
    expect((await save('Filter 7', 'some')).status).toBe(201);
  });

  it('that say nothing or what nobody understands are refused', async () => {
    const headers = keys.Cora;
    const save = (filter: unknown) =>
      call(createSavedFilter, { headers, params, body: { name: 'Odd', filter } });
    expect((await save({})).status).toBe(400);
    expect((await save({ riskFrom: 2 })).status).toBe(400);
    expect((await save({ colour: 'red' })).status).toBe(400);
  });
});
