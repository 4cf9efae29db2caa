import { eq } from 'drizzle-orm';
import { type Database, newId, tables } from '@/db';
import { systemActor } from '@/lib/services/access';
import { createProject } from '@/lib/services/projects';

const { derivatives, images, memberships, projects, users } = tables;

/** Rows per statement. */
const CHUNK = 2000;

/**
 * A project of many images that share the files of the demo's pictures: a grid reads rows and thumbnails, and does
 * not care that a thumbnail comes again. Returns the slug.
 */
export async function fillImages(db: Database, count: number, curatorEmail: string): Promise<string> {
  const slug = `many-${newId().slice(-8)}`;
  const { id: projectId } = await createProject(db, systemActor('bench'), {
    name: 'Many images',
    slug,
    preset: 'rival10',
  });
  const [curator] = await db.select({ id: users.id }).from(users).where(eq(users.email, curatorEmail));
  if (!curator) throw new Error('The demo has a curator.');
  await db.insert(memberships).values({ projectId, userId: curator.id, role: 'curator' });
  const models = await db
    .select({ image: images, thumbnail: derivatives })
    .from(images)
    .innerJoin(derivatives, eq(derivatives.imageId, images.id))
    .innerJoin(projects, eq(projects.id, images.projectId))
    .where(eq(derivatives.kind, 'thumbnail'))
    .limit(200);
  for (let from = 0; from < count; from += CHUNK) {
    const rows = Array.from({ length: Math.min(CHUNK, count - from) }, (_, i) => {
      const model = models[(from + i) % models.length];
      if (!model) throw new Error('The demo has pictures.');
      return { id: newId(), n: from + i, model };
    });
    await db.insert(images).values(
      rows.map(({ id, n, model }) => ({
        ...model.image,
        id,
        projectId,
        name: `picture-${String(n).padStart(6, '0')}.png`,
        sourceSha256: id,
        perceptualHash: BigInt.asIntN(64, BigInt(n) * 0x9e3779b97f4a7c15n),
        lookalikeOf: null,
      })),
    );
    await db.insert(derivatives).values(rows.map(({ id, model }) => ({ ...model.thumbnail, imageId: id })));
  }
  await db.execute('analyze');
  return slug;
}
