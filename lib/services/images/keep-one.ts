import { and, eq, ne } from 'drizzle-orm';
import { type Database, tables } from '@/db';
import type { Actor } from '@/lib/core/actor';
import { conflict, notFound } from '@/lib/core/errors';
import { type Changed, changeImages } from './change-images';
import { mostPicked } from './image-change';

const { images } = tables;

/** Of a group of images that look alike, one stays in use and the others are excluded. */
export async function keepOne(
  db: Database,
  actor: Actor,
  input: { projectId: string; imageId: string },
): Promise<Changed> {
  const { projectId, imageId } = input;
  const [kept] = await db
    .select({ name: images.name, state: images.state, group: images.lookalikeOf })
    .from(images)
    .where(and(eq(images.id, imageId), eq(images.projectId, projectId)));
  if (!kept?.group) throw notFound('image in a group of lookalikes');
  if (kept.state !== 'active')
    throw conflict(`${kept.name} is ${kept.state}: restore it first, or keep another one.`);
  const others = await db
    .select({ id: images.id })
    .from(images)
    .where(
      and(
        eq(images.projectId, projectId),
        eq(images.lookalikeOf, kept.group),
        eq(images.state, 'active'),
        ne(images.id, imageId),
      ),
    )
    .orderBy(images.id)
    .limit(mostPicked);
  if (others.length === 0) throw conflict('It is the only one of its group in use already.');
  return changeImages(db, actor, {
    projectId,
    scope: { ids: others.map((image) => image.id) },
    change: { kind: 'state', state: 'excluded', reason: `Looks like ${kept.name}, which was kept.` },
  });
}
