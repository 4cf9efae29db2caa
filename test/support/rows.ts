import { type Db, newId, tables } from '@/db';
import type { DatasetSchema } from '@/lib/core/schema';

const sha = (letter: string) => letter.repeat(64);

/** A person without a password. */
export async function insertUser(db: Db, name = 'Wanda'): Promise<string> {
  const id = newId();
  await db.insert(tables.users).values({ id, name, email: `${name.toLowerCase()}-${id}@example.org` });
  return id;
}

export async function insertProject(db: Db, slug = `p${newId().slice(-12)}`) {
  const projectId = newId();
  const schemaVersionId = newId();
  const stageId = newId();
  await db.insert(tables.projects).values({ id: projectId, slug, name: 'Birds' });
  await db
    .insert(tables.schemaVersions)
    .values({ id: schemaVersionId, projectId, number: 1, document: {} as DatasetSchema });
  await db
    .insert(tables.stages)
    .values({ id: stageId, projectId, kind: 'attributes', name: 'Attributes', position: 1 });
  return { projectId, schemaVersionId, stageId };
}

export type ProjectRows = Awaited<ReturnType<typeof insertProject>>;

/** A picture and the question about it. */
export async function insertItem(db: Db, { projectId, schemaVersionId, stageId }: ProjectRows) {
  const imageId = newId();
  const itemId = newId();
  const blob = sha('a');
  await db
    .insert(tables.blobs)
    .values({ sha256: blob, bytes: 1, mediaType: 'image/png' })
    .onConflictDoNothing();
  await db.insert(tables.images).values({
    id: imageId,
    projectId,
    name: 'bird.png',
    width: 4,
    height: 3,
    sourceSha256: imageId,
    blob,
    perceptualHash: 0n,
  });
  await db.insert(tables.items).values({ id: itemId, projectId, stageId, imageId, schemaVersionId });
  return { imageId, itemId, blob };
}

/** The question, leased to a worker. */
export async function insertLease(
  db: Db,
  { projectId, stageId }: ProjectRows,
  { itemId, workerId }: { itemId: string; workerId: string },
) {
  const batchId = newId();
  const leaseId = newId();
  const leasedUntil = new Date(Date.now() + 60_000);
  await db.insert(tables.batches).values({ id: batchId, projectId, stageId, workerId, leasedUntil });
  await db.insert(tables.leases).values({ id: leaseId, batchId, itemId, workerId, position: 0 });
  return { batchId, leaseId };
}
