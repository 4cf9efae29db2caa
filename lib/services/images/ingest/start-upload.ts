import { type Db, tables } from '@/db';
import { type Author, actorId } from '@/lib/core/actor';
import { invalid } from '@/lib/core/errors';
import { indexClasses } from './find-class';
import { projectSchema } from './project-schema';
import { UploadOptions } from './upload-options';

export type Upload = typeof tables.uploads.$inferSelect;

/** Opens an act of adding pictures; files may be sent to it until it is finished. */
export async function startUpload(
  db: Db,
  actor: Author,
  input: { projectId: string; options?: Partial<UploadOptions> },
): Promise<Upload> {
  const options = UploadOptions.parse(input.options ?? {});
  if (options.className !== undefined) {
    const classes = indexClasses(await projectSchema(db, input.projectId));
    const known = classes.byName.get(options.className.toLowerCase());
    if (!known) throw invalid(`"${options.className}" is not a class of the project's schema.`);
    options.className = known;
  }
  const [upload] = await db
    .insert(tables.uploads)
    .values({ projectId: input.projectId, createdBy: actorId(actor), options })
    .returning();
  return upload as Upload;
}
