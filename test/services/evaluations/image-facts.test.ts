import { asc, eq, inArray, sql } from 'drizzle-orm';
import { beforeAll, describe, expect, it } from 'vitest';
import { newId, tables } from '@/db';
import { systemActor } from '@/lib/core/actor';
import { freezeVersion } from '@/lib/services/datasets/freeze/freeze-version';
import { FreezeRequest } from '@/lib/services/datasets/freeze/request';
import { type ImageFacts, imageFacts } from '@/lib/services/evaluations/select-images';
import { useDatabase } from '../../support/database';
import { useHome } from '../../support/home';
import { patiently } from '../../support/labelled-project';
import { countStatements } from '../access/statements';
import { addImage, type Workshop, worker, workshop } from '../crowd/workshop';
import { box, several } from '../curation/consensus/several';

useHome();
const db = useDatabase();
const { images, labelRisks, sliceImages, slices, versionImages, versions } = tables;

let shop: Workshop;
let versionId: string;
let known: Map<string, ImageFacts>;

const sourceOf = async (imageId: string) => {
  const [image] = await db().select().from(images).where(eq(images.id, imageId));
  return image?.sourceSha256 ?? '';
};
const imageOf = async (itemId: string) => {
  const [item] = await db().select().from(tables.items).where(eq(tables.items.id, itemId));
  return item?.imageId ?? '';
};

describe('what the platform knows of the images of a version', () => {
  let half: string;
  let single: string;
  let members: { imageId: string; split: string }[];

  beforeAll(async () => {
    shop = await workshop(db());
    const [ann, bo] = await Promise.all(['Ann', 'Bo'].map((name) => worker(db(), shop, name)));
    if (!ann || !bo) throw new Error('Both are there.');
    const drawn = await several(db(), shop, 'object-mask', [
      { by: ann, value: box(10, 10, 20, 20) },
      { by: bo, value: box(20, 10, 20, 20) },
    ]);
    // A part on which they agree says nothing of the object.
    await several(db(), shop, 'part-mask', [
      { by: ann, value: box(10, 10, 20, 20) },
      { by: bo, value: box(10, 10, 20, 20) },
    ]);
    const alone = await several(db(), shop, 'object-mask', [{ by: ann, value: box(10, 10, 20, 20) }]);
    for (let i = 0; i < 20; i++) await addImage(db(), shop.projectId);
    // Pictures that look alike would all come into one split.
    await db().execute(
      sql`update ${images} set perceptual_hash = ('x' || left(md5(id::text), 16))::bit(64)::bigint`,
    );
    half = await imageOf(drawn.itemId);
    single = await imageOf(alone.itemId);
    await db()
      .insert(labelRisks)
      .values({
        ...{ labelId: drawn.labelId, projectId: shop.projectId, stageId: shop.stages['object-mask'] },
        ...{ risk: 0.5, agreement: 0.25 },
      });
    await freezeVersion(patiently(db()), systemActor('Test'), {
      projectId: shop.projectId,
      request: FreezeRequest.parse({}),
    });
    const [version] = await db().select().from(versions).where(eq(versions.projectId, shop.projectId));
    versionId = version?.id ?? '';
    members = await db()
      .select({ imageId: versionImages.imageId, split: versionImages.split })
      .from(versionImages)
      .where(eq(versionImages.versionId, versionId))
      .orderBy(asc(versionImages.position));
    const sliceId = newId();
    await db().insert(slices).values({ id: sliceId, projectId: shop.projectId, name: 'Night' });
    await db().insert(sliceImages).values({ sliceId, imageId: single });
    known = await imageFacts(db(), { projectId: shop.projectId, versionId });
  });

  it('knows how far people agree: on labels, and on the object where two drew it', async () => {
    const facts = known.get(await sourceOf(half));
    // 20 columns of 20 each, shifted by 10: a third.
    expect(facts?.drawnIou).toBeCloseTo(1 / 3, 2);
    expect(facts?.agreement).toBeCloseTo(0.25);
    expect(known.get(await sourceOf(single))).toEqual({
      agreement: null,
      drawnIou: null,
      lookalike: 'none',
      slices: ['Night'],
    });
    expect(known.size).toBe(members.length);
  });

  it('knows whether an image looks like another, and whether that one is in another split', async () => {
    const of = (split: string | undefined) => members.filter((each) => each.split === split);
    const [first, second] = [...new Set(members.map(({ split }) => split))].sort(
      (a, b) => of(b).length - of(a).length,
    );
    const pair = [of(first)[0], of(second)[0]].map((each) => each?.imageId ?? '');
    const twins = of(first)
      .slice(1, 3)
      .map(({ imageId }) => imageId);
    expect(twins).toHaveLength(2);
    for (const group of [pair, twins])
      await db().update(images).set({ lookalikeOf: group[0] }).where(inArray(images.id, group));
    const facts = await imageFacts(db(), { projectId: shop.projectId, versionId });
    const said = async (ids: string[]) =>
      Promise.all(ids.map(async (id) => facts.get(await sourceOf(id))?.lookalike));
    expect(await said(pair)).toEqual(['other split', 'other split']);
    expect(await said(twins)).toEqual(['same split', 'same split']);
  });

  it('asks the database four times, whatever the number of images', async () => {
    const asked = await countStatements(db(), () =>
      imageFacts(db(), { projectId: shop.projectId, versionId }),
    );
    expect(asked).toBeLessThanOrEqual(4);
  });
});
