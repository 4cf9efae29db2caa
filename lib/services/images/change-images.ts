import { and, desc, eq, inArray, ne, type SQL, sql } from 'drizzle-orm';
import { type Database, type Db, tables } from '@/db';
import { type Actor, actorId, auditedAs } from '@/lib/core/actor';
import { conflict, invalid } from '@/lib/core/errors';
import { record } from '@/lib/services/activity';
import { askSoon, enqueue } from '@/lib/services/jobs/enqueue';
import { changeBatch } from './change-batch';
import { type ChangeCounts, changeTitle, type ImageChange, type ImageScope } from './image-change';
import { projectSchema } from './ingest/project-schema';
import { matchingImages } from './matching-images';

const { images, projects, versions } = tables;

/** Up to here a change is made while the curator waits. */
export const mostAtOnce = 200;

export interface ChangeImages {
  projectId: string;
  change: ImageChange;
  scope: ImageScope;
}

export interface Changed {
  total: number;
  /** Null when a job does it. */
  counts: ChangeCounts | null;
  jobId: string | null;
}

/** Changes the images of a selection, or all that match a filter: at once when they are few, else as a job. */
export async function changeImages(db: Database, actor: Actor, input: ChangeImages): Promise<Changed> {
  const { projectId, change, scope } = input;
  const { total, last } = await measure(db, input);
  if (total === 0 || !last) throw invalid('No image matches: nothing was changed.');
  if (change.kind === 'class') await requireClass(db, projectId, change.className);
  const project = await projectOf(db, projectId);
  if (change.kind === 'delete' && project.hasVersion)
    throw conflict('The project has frozen versions, which need their images. Exclude the images instead.');
  const author = auditedAs(actor);
  return db.transaction(async (tx) => {
    await record(tx, {
      actor,
      verb: `images.${change.kind === 'state' ? (change.state === 'excluded' ? 'exclude' : 'restore') : change.kind}`,
      subject: 'images',
      projectId,
      detail: { ...change, count: total, ...('ids' in scope ? { ids: scope.ids.slice(0, 100) } : scope) },
    });
    if (total > mostAtOnce) {
      const jobId = await enqueue(
        tx,
        'change-images',
        { projectId, change, scope, until: last, author },
        { title: changeTitle(change, total), projectId, startedBy: actorId(actor) },
      );
      return { total, counts: null, jobId };
    }
    const ids = await tx.select({ id: images.id }).from(images).where(whereOf(input));
    const batch = {
      projectId,
      author: actor,
      change,
      ids: ids.map((row) => row.id),
      isDraft: project.isDraft,
    };
    const counts = await changeBatch(tx, batch);
    if (change.kind === 'class' && counts.changed > 0) await askSoon(tx, projectId);
    return { total, counts, jobId: null };
  });
}

export const whereOf = ({ projectId, scope }: Pick<ChangeImages, 'projectId' | 'scope'>): SQL | undefined =>
  'ids' in scope
    ? and(eq(images.projectId, projectId), ne(images.state, 'derived'), inArray(images.id, scope.ids))
    : matchingImages(projectId, scope.filter);

/** How many are meant, and the last of them now: images that arrive later are not. */
async function measure(db: Db, input: ChangeImages): Promise<{ total: number; last: string | undefined }> {
  const where = whereOf(input);
  const [[counted], [last]] = await Promise.all([
    db.select({ n: sql<number>`count(*)::int` }).from(images).where(where),
    db.select({ id: images.id }).from(images).where(where).orderBy(desc(images.id)).limit(1),
  ]);
  return { total: counted?.n ?? 0, last: last?.id };
}

async function requireClass(db: Db, projectId: string, className: string | null): Promise<void> {
  if (className === null) return;
  const schema = await projectSchema(db, projectId);
  if (!schema?.classes.some((entry) => entry.id === className))
    throw invalid(`The schema has no class "${className}". Add it to the schema first.`);
}

export async function projectOf(
  db: Db,
  projectId: string,
): Promise<{ isDraft: boolean; hasVersion: boolean }> {
  const [row] = await db
    .select({
      state: projects.state,
      hasVersion: sql<boolean>`exists (select 1 from ${versions} v where v.project_id = projects.id)`,
    })
    .from(projects)
    .where(eq(projects.id, projectId));
  return { isDraft: row?.state === 'draft', hasVersion: row?.hasVersion ?? false };
}
