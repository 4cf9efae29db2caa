import { sql } from 'drizzle-orm';
import { type Db, tables } from '@/db';
import { signBlobUrl } from '@/lib/services/storage';

const { derivatives, images } = tables;

export interface Picture {
  name: string;
  url: string;
}

/** Name and file of each of these images, by id; the whole picture where the derivative is not made yet. */
export async function picturesOf(
  db: Db,
  imageIds: readonly string[],
  kind: 'thumbnail' | 'working' = 'thumbnail',
): Promise<Map<string, Picture>> {
  if (imageIds.length === 0) return new Map();
  const found = await db.execute<{ id: string; name: string; blob: string }>(sql`
    select image.id, image.name, coalesce(d.blob, image.blob) as blob
    from ${images} image left join ${derivatives} d on d.image_id = image.id and d.kind = ${kind}
    where image.id = any (${sql.param([...new Set(imageIds)])}::uuid[])`);
  return new Map(found.rows.map(({ id, name, blob }) => [id, { name, url: signBlobUrl(blob) }]));
}
