import { and, eq, isNotNull, sql } from 'drizzle-orm';
import { type Db, tables } from '@/db';

const { uploadFiles, uploads } = tables;

/** Marks the uploads that hold pictures of a guide. */
export const purpose = { purpose: 'guide' };

/** The pictures that the guide of a project may show. */
export async function guidePictures(db: Db, projectId: string): Promise<Set<string>> {
  const rows = await db
    .selectDistinct({ blob: uploadFiles.blob })
    .from(uploadFiles)
    .innerJoin(uploads, eq(uploads.id, uploadFiles.uploadId))
    .where(
      and(
        eq(uploads.projectId, projectId),
        sql`${uploads.options} @> ${JSON.stringify(purpose)}::jsonb`,
        isNotNull(uploadFiles.blob),
      ),
    );
  return new Set(rows.map(({ blob }) => blob as string));
}
