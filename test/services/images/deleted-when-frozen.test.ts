import { eq, sql } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { newId, tables } from '@/db';
import { changeImages } from '@/lib/services/images/change-images';
import { changeManyImages } from '@/lib/services/images/change-many-images';
import { useDatabase } from '../../support/database';
import { somebodyWaits } from '../../support/meanwhile';
import { person, tests } from '../access/people';
import { jobIn } from '../curation/audit/rated';
import { type Gallery, gallery } from './support/gallery';

const db = useDatabase();
const { blobs, images, versionImages, versions } = tables;
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
  const counts = await changeManyImages(jobIn(db()), {
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
