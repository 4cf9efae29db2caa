import { and, asc, eq, gt, inArray, sql } from 'drizzle-orm';
import { type Db, tables } from '@/db';
import { forEachConcurrently } from '@/lib/core/concurrency';
import { limits } from '@/lib/core/image-limits';
import type { JobContext } from '@/lib/services/jobs';
import { enqueue } from '@/lib/services/jobs';
import { activeStates } from '@/lib/services/jobs/job-row';
import { putBlob, readAll } from '@/lib/services/storage';
import { picturePool } from './ingest/picture-pool';
import { type CodedPicture, PictureRefused } from './ingest/read-picture';

const { derivatives, images } = tables;
const pageSize = 100;

type Source = Pick<typeof images.$inferSelect, 'id' | 'name' | 'blob' | 'width' | 'height'>;

/** Makes the thumbnails and working copies that images of a project lack. */
export async function makeDerivatives(
  context: JobContext,
  input: { projectId: string },
): Promise<{ made: number; broken: number }> {
  const { db } = context;
  const [missing] = await db
    .select({ n: sql<number>`count(*)::int` })
    .from(images)
    .where(and(eq(images.projectId, input.projectId), lacksDerivative));
  const total = missing?.n ?? 0;
  let made = 0;
  let broken = 0;
  let after: string | undefined;
  for (;;) {
    const page = await nextPage(db, input.projectId, after);
    await forEachConcurrently(picturePool().size, page, async (image) => {
      context.signal.throwIfAborted();
      if (await makeFor(context, image)) made += 1;
      else broken += 1;
      await context.progress(made + broken, total, image.name);
    });
    after = page.at(-1)?.id;
    if (page.length < pageSize) return { made, broken };
  }
}

const lacksDerivative = sql`${images.state} not in ('broken', 'derived') and
  (select count(*) from ${derivatives} where ${derivatives.imageId} = ${images.id}) < 2`;

const nextPage = (db: Db, projectId: string, after: string | undefined): Promise<Source[]> =>
  db
    .select({
      id: images.id,
      name: images.name,
      blob: images.blob,
      width: images.width,
      height: images.height,
    })
    .from(images)
    .where(and(eq(images.projectId, projectId), lacksDerivative, after ? gt(images.id, after) : undefined))
    .orderBy(asc(images.id))
    .limit(pageSize);

/** False: the bytes of the image are gone or damaged, and it is marked so. */
async function makeFor({ db, storage, log }: JobContext, image: Source): Promise<boolean> {
  try {
    if (!(await storage.stat(image.blob)))
      throw new PictureRefused('The file of the image is missing from the store.');
    const bytes = await readAll(await storage.get(image.blob), limits.pictureBytes);
    const picture = await picturePool().read(bytes);
    const put = async (coded: CodedPicture) => {
      const source = Buffer.from(coded.bytes);
      return (await putBlob(db, storage, source, { mediaType: coded.mediaType })).sha256;
    };
    const { thumbnail } = picture;
    const working = picture.working ?? image;
    await db
      .insert(derivatives)
      .values([
        { imageId: image.id, kind: 'thumbnail', ...sizeOf(thumbnail), blob: await put(thumbnail) },
        {
          imageId: image.id,
          kind: 'working',
          ...sizeOf(working),
          blob: picture.working ? await put(picture.working) : image.blob,
        },
      ])
      .onConflictDoNothing();
    return true;
  } catch (error) {
    if (!(error instanceof PictureRefused)) throw error;
    await db.update(images).set({ state: 'broken' }).where(eq(images.id, image.id));
    await log('error', `${image.name}: ${error.message}`);
    return false;
  }
}

const sizeOf = ({ width, height }: { width: number; height: number }) => ({ width, height });

const { jobs } = tables;

/** Asks for what is missing among the derivatives of a project, unless a job is already at it. */
export async function requestDerivatives(db: Db, projectId: string): Promise<void> {
  const [busy] = await db
    .select({ id: jobs.id })
    .from(jobs)
    .where(
      and(
        eq(jobs.projectId, projectId),
        eq(jobs.kind, 'derivatives'),
        inArray(jobs.state, [...activeStates]),
      ),
    )
    .limit(1);
  if (busy) return;
  await db.transaction((tx) =>
    enqueue(tx, 'derivatives', { projectId }, { title: 'Make missing thumbnails', projectId }),
  );
}
