import { eq, sql } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { tables } from '@/db';
import { systemActor } from '@/lib/core/actor';
import { renderScene } from '@/lib/demo/pictures';
import { generateScene } from '@/lib/demo/scenes';
import { askFirstQuestions } from '@/lib/services/crowd/work';
import { addGeneratedImage } from '@/lib/services/images/ingest/store-image';
import { createProject, updateProject } from '@/lib/services/projects';
import { storage } from '@/lib/services/storage';
import { useDatabase } from '../../support/database';
import { useHome } from '../../support/home';

const db = useDatabase();
useHome();

const actor = systemActor('A curator');

async function projectWithPictures(slug: string, count: number): Promise<string> {
  const { id } = await createProject(db(), actor, { name: slug, slug, preset: 'rival10' });
  for (let seed = 0; seed < count; seed++) {
    const scene = generateScene({ seed, preset: 'rival10', width: 64, height: 64 });
    const bytes = await renderScene(scene, { format: 'png' });
    await addGeneratedImage(db(), storage(), {
      projectId: id,
      name: `${seed}.png`,
      className: scene.className,
      origin: {},
      bytes,
    });
  }
  return id;
}

const waiting = async () => {
  const rows = await db().select().from(tables.jobs).where(eq(tables.jobs.kind, 'ask-questions'));
  return rows.map((job) => job.projectId);
};

it('a project that begins to collect has its first items made by a job, once per image', async () => {
  const id = await projectWithPictures('begins', 3);
  expect(await waiting()).toEqual([]);
  await updateProject(db(), actor, id, { state: 'collecting' });
  expect(await waiting()).toEqual([id]);
  for (let time = 0; time < 2; time++) {
    await db().transaction((tx) => askFirstQuestions(tx, { projectId: id }));
  }
  const [row] = await db()
    .select({ items: sql<number>`count(*)::int`, images: sql<number>`count(distinct image_id)::int` })
    .from(tables.items)
    .where(eq(tables.items.projectId, id));
  expect(row).toEqual({ items: 3, images: 3 });
});

it('a change of name starts no job', async () => {
  const id = await projectWithPictures('renamed', 0);
  const before = await waiting();
  await updateProject(db(), actor, id, { name: 'Renamed' });
  expect(await waiting()).toEqual(before);
});
