import { type Database, newId, tables } from '@/db';
import { insertProject, type ProjectRows } from '../../support/rows';

export interface Gallery extends ProjectRows {
  /** In the order they came. */
  imageIds: string[];
}

const blob = 'a'.repeat(64);
const ROWS = 1000;

/** A draft with a number of images, half of them cats, whose bytes nobody reads. */
export async function gallery(db: Database, count: number): Promise<Gallery> {
  const project = await insertProject(db);
  await db
    .insert(tables.blobs)
    .values({ sha256: blob, bytes: 1, mediaType: 'image/png' })
    .onConflictDoNothing();
  // Ids of one millisecond are in no order.
  const ids = Array.from({ length: count }, () => newId()).sort();
  const rows = ids.map((id, n) => ({
    id,
    projectId: project.projectId,
    name: `${n}.png`,
    className: n % 2 ? 'cat' : null,
    width: 64,
    height: 48,
    sourceSha256: newId(),
    blob,
    perceptualHash: BigInt.asIntN(64, BigInt(n) * 0x9e3779b97f4a7c15n),
  }));
  for (let from = 0; from < count; from += ROWS)
    await db.insert(tables.images).values(rows.slice(from, from + ROWS));
  return { ...project, imageIds: ids };
}

export interface Said {
  /** A mask of this part, or else attributes. */
  target?: string;
  choices?: Record<string, string[]>;
  agreement?: number;
  risk?: number;
}

/** A question about an image with its label, and how sure one can be of it. */
export async function labelled(db: Database, shop: Gallery, imageId: string, said: Said) {
  const { projectId, stageId, schemaVersionId } = shop;
  const [itemId, labelId] = [newId(), newId()];
  const target = said.target ?? '';
  await db.insert(tables.items).values({ id: itemId, projectId, stageId, imageId, schemaVersionId, target });
  await db.insert(tables.labels).values({
    id: labelId,
    projectId,
    itemId,
    imageId,
    target,
    value: said.choices ? { kind: 'attributes', choices: said.choices } : { kind: 'mask' },
    // 64 × 48 pixels of nothing.
    mask: said.choices ? null : 'P`3',
    area: said.choices ? null : 0,
    source: 'import',
    provenance: {},
    confidence: 1,
  });
  if (said.risk !== undefined)
    await db.insert(tables.labelRisks).values({
      labelId,
      projectId,
      stageId,
      risk: said.risk,
      rank: said.risk,
      agreement: said.agreement ?? null,
    });
  return { itemId, labelId };
}
