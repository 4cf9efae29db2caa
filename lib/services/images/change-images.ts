import { and, asc, desc, eq, gt, inArray, lte, ne, type SQL, sql } from 'drizzle-orm';
import { type Database, type Db, tables } from '@/db';
import { type Actor, type Author, actorId, auditedAs } from '@/lib/core/actor';
import { conflict, invalid } from '@/lib/core/errors';
import { record } from '@/lib/services/activity';
import type { JobContext } from '@/lib/services/jobs';
import { askSoon, enqueue } from '@/lib/services/jobs';
import { batchSize, changeBatch } from './change-batch';
import {
  type ChangeCounts,
  changeTitle,
  describeChange,
  type ImageChange,
  type ImageScope,
} from './image-change';
import { readProjectSchema } from './ingest/project-schema';

import { matchingImages } from './matching-images';

const { images, projects, versions } = tables;

/** Up to here a change is made while the curator waits. */
export const MAX_IMMEDIATE = 200;

interface ChangeImages {
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
  if (total === 0 || !last) throw invalid('No matching images. Nothing was changed.');
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
    if (total > MAX_IMMEDIATE) {
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

const whereOf = ({ projectId, scope }: Pick<ChangeImages, 'projectId' | 'scope'>): SQL | undefined =>
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
  const schema = await readProjectSchema(db, projectId);
  if (!schema?.classes.some((entry) => entry.id === className))
    throw invalid(`The schema has no class "${className}". Add it to the schema first.`);
}

async function projectOf(db: Db, projectId: string): Promise<{ isDraft: boolean; hasVersion: boolean }> {
  const [row] = await db
    .select({
      state: projects.state,
      hasVersion: sql<boolean>`exists (select 1 from ${versions} v where v.project_id = projects.id)`,
    })
    .from(projects)
    .where(eq(projects.id, projectId));
  return { isDraft: row?.state === 'draft', hasVersion: row?.hasVersion ?? false };
}

interface ChangeMany {
  projectId: string;
  change: ImageChange;
  scope: ImageScope;
  author: Author;
  /** The last image that was meant. */
  until: string;
}

/**
 * Goes through the images in the order of their ids, a transaction each few hundred. Stopped in the middle, what
 * is done stays done; begun again, it finds what is done as it should be and goes on.
 */
export async function runImageChange(context: JobContext, input: ChangeMany): Promise<ChangeCounts> {
  const { db } = context;
  const { projectId, change, author } = input;
  const meant = and(whereOf(input), lte(images.id, input.until));
  const [counted] = await db.select({ n: sql<number>`count(*)::int` }).from(images).where(meant);
  const total = counted?.n ?? 0;
  const sum: ChangeCounts = { images: 0, changed: 0, same: 0, kept: 0 };
  for (let after: string | undefined; ; ) {
    context.signal.throwIfAborted();
    const page = await db
      .select({ id: images.id })
      .from(images)
      .where(and(meant, after ? gt(images.id, after) : undefined))
      .orderBy(asc(images.id))
      .limit(batchSize);
    if (page.length === 0) break;
    const ids = page.map((row) => row.id);
    const { isDraft } = await projectOf(db, projectId);
    const counts = await db.transaction((tx) => changeBatch(tx, { projectId, author, change, ids, isDraft }));
    for (const name of Object.keys(sum) as (keyof ChangeCounts)[]) sum[name] += counts[name];
    after = ids.at(-1);
    await context.progress(sum.images, Math.max(total, sum.images));
  }
  if (change.kind === 'class' && sum.changed > 0) await db.transaction((tx) => askSoon(tx, projectId));
  await context.log(sum.kept > 0 ? 'warn' : 'info', describeChange(change, sum));
  return sum;
}
