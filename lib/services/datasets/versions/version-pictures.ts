import { sql } from 'drizzle-orm';
import { type Db, tables } from '@/db';
import { signBlobUrl } from '@/lib/services/storage';

const { blobs, derivatives, images, versionImages } = tables;

export interface VersionPicture {
  id: string;
  name: string;
  /** Hash of the file as it was given. */
  source: string;
  thumbnail: string;
}

/** Images of a version by their names, or by the hashes of their files, with pictures to show. One statement. */
export async function versionPictures(
  db: Db,
  input: { versionId: string; names?: readonly string[]; sources?: readonly string[] },
): Promise<VersionPicture[]> {
  const { versionId, names = [], sources = [] } = input;
  if (names.length + sources.length === 0) return [];
  const found = await db.execute<{ id: string; name: string; source: string; blob: string }>(sql`
    select i.id, i.name, i.source_sha256 as source, coalesce(d.blob, i.blob) as blob
    from ${versionImages} v join ${images} i on i.id = v.image_id
    left join ${derivatives} d on d.image_id = i.id and d.kind = 'thumbnail'
    where v.version_id = ${versionId}
      and (i.name = any(${sql.param([...names])}::text[])
        or i.source_sha256 = any(${sql.param([...sources])}::text[]))`);
  return found.rows.map(({ blob, ...row }) => ({ ...row, thumbnail: signBlobUrl(blob) }));
}

/** Bytes of the stored pictures of a version: the least that an export with pictures weighs. */
export async function pictureBytes(db: Db, versionId: string): Promise<number> {
  const found = await db.execute<{ bytes: string | null }>(sql`
    select sum(b.bytes)::text as bytes from ${versionImages} v join ${blobs} b on b.sha256 = v.blob
    where v.version_id = ${versionId}`);
  return Number(found.rows[0]?.bytes ?? 0);
}
