import { and, desc, eq, like, type SQL, sql } from 'drizzle-orm';
import { type Db, tables } from '@/db';
import { invalid, notFound, TesseraError } from '@/lib/core/errors';
import type { Dataset } from '@/lib/core/formats/dataset';
import { type Storage, signBlobUrl } from '@/lib/services/storage';
import { ManifestHeader, readLine, readLines, type VersionImage } from '../manifest';

const { projects } = tables;

interface OpenVersion extends Dataset {
  header: ManifestHeader;
  images(): AsyncGenerator<VersionImage>;
}

/** Opens a version as a dataset that streams the manifest line by line on every pass. */
export async function openVersion(
  db: Db,
  storage: Storage,
  version: { projectId: string; hash: string; manifest: string },
): Promise<OpenVersion> {
  const [project] = await db
    .select({ name: projects.name })
    .from(projects)
    .where(eq(projects.id, version.projectId));
  const lines = async function* () {
    if (!(await storage.stat(version.manifest)))
      throw new TesseraError(
        'unavailable',
        'The manifest of the version is missing from the store. Restore it from a backup.',
      );
    yield* readLines(await storage.get(version.manifest));
  };
  const header = await firstOf(lines());
  return {
    name: project?.name ?? '',
    hash: version.hash,
    schema: header.schema,
    splits: header.splits,
    count: header.images,
    licence: header.licence,
    header,
    async *images() {
      let isFirst = true;
      for await (const { text } of lines()) {
        if (!isFirst) yield readLine(text);
        isFirst = false;
      }
    },
  };
}

async function firstOf(lines: AsyncGenerator<{ text: string }>): Promise<ManifestHeader> {
  try {
    const { value } = await lines.next();
    return ManifestHeader.parse(JSON.parse((value as { text: string }).text));
  } finally {
    await lines.return(undefined);
  }
}

const { versionTags, versions } = tables;

export type VersionRow = typeof versions.$inferSelect;

/** Finds a version by `latest`, number, tag, hash prefix or id. */
export async function findVersion(
  db: Db,
  { projectId, version }: { projectId: string; version: string },
): Promise<VersionRow> {
  const rows = await db
    .select()
    .from(versions)
    .where(and(eq(versions.projectId, projectId), meant(projectId, version)))
    .orderBy(desc(versions.number))
    .limit(version === 'latest' ? 1 : 2);
  const [found] = rows;
  if (!found) throw notFound('version');
  if (rows.length > 1)
    throw invalid(`Several versions begin with "${version}". Enter more characters of the hash.`);
  return found;
}

function meant(projectId: string, version: string): SQL | undefined {
  if (version === 'latest') return undefined;
  if (/^v?\d{1,9}$/.test(version)) return eq(versions.number, Number(version.replace('v', '')));
  if (/^[0-9a-f]{8}-[0-9a-f-]{27}$/.test(version)) return eq(versions.id, version);
  const tagged = sql`exists (select 1 from ${versionTags} t
    where t.version_id = ${versions.id} and t.project_id = ${projectId} and t.tag = ${version})`;
  return /^[0-9a-f]{6,64}$/.test(version)
    ? sql`(${like(versions.hash, `${version}%`)} or ${tagged})`
    : tagged;
}

const { blobs, derivatives, images, versionImages } = tables;

export interface VersionPicture {
  id: string;
  name: string;
  /** Hash of the uploaded file. */
  source: string;
  thumbnail: string;
}

/** Finds images of a version by name or file hash, with thumbnails, in one statement. */
export async function listVersionPictures(
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

/** Total size of the stored images: the minimum size of an export with images. */
export async function measurePictureBytes(db: Db, versionId: string): Promise<number> {
  const found = await db.execute<{ bytes: string | null }>(sql`
    select sum(b.bytes)::text as bytes from ${versionImages} v join ${blobs} b on b.sha256 = v.blob
    where v.version_id = ${versionId}`);
  return Number(found.rows[0]?.bytes ?? 0);
}
