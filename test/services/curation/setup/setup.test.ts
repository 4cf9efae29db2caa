import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { tables } from '@/db';
import { nextStep, readSetup, setupSteps } from '@/lib/services/curation/setup';
import { createProject } from '@/lib/services/projects';
import { useDatabase } from '../../../support/database';
import { join, person, tests } from '../../access/people';
import { statementsOf } from '../../crowd/statements-of';
import { addGold, addImage, marked, type Workshop, workshop } from '../../crowd/workshop';

const db = useDatabase();

async function stepsOf(projectId: string) {
  const [project] = await db().select().from(tables.projects).where(eq(tables.projects.id, projectId));
  return setupSteps(await readSetup(db(), project as typeof tables.projects.$inferSelect));
}
const statesOf = async (projectId: string) =>
  Object.fromEntries((await stepsOf(projectId)).map(({ id, state }) => [id, state]));

describe('the guided path', () => {
  it('of a new project begins with images, and says which presets hold', async () => {
    const { id } = await createProject(db(), tests, { name: 'New', slug: 'new-path', preset: 'rival10' });
    expect(await statesOf(id)).toEqual({
      images: 'missing',
      schema: 'preset',
      instructions: 'preset',
      gold: 'missing',
      policy: 'preset',
      invite: 'missing',
    });
    expect(nextStep(await stepsOf(id))?.path).toBe('/images/add');
  });

  it('goes on as the project fills, and tells images without a class of the schema', async () => {
    const { id } = await createProject(db(), tests, { name: 'Fills', slug: 'fills', preset: 'rival10' });
    await addImage(db(), id);
    await addImage(db(), id, 'unicorn');
    const [images] = await stepsOf(id);
    expect(images).toMatchObject({ state: 'done', done: '2 images.' });
    expect(images?.missing).toMatch(/^1 image without a class/);
    const wanda = await person(db(), 'Wanda');
    await join(db(), wanda, id, 'worker');
    expect(await statesOf(id)).toMatchObject({ invite: 'done', gold: 'missing' });
    expect(nextStep(await stepsOf(id))?.id).toBe('gold');
  });

  it('counts gold images against what exam and practice take, pool by pool and stage by stage', async () => {
    const exam = { isRequired: true, practice: 1 };
    const shop: Workshop = await workshop(db(), {
      attributeExam: { ...exam, images: 2 },
      maskExam: { isRequired: false },
    });
    await addGold(db(), shop, 'attributes', 1, marked(shop, 'white'), { pool: 'exam' });
    // Gold of checks fills no other pool.
    await addGold(db(), shop, 'attributes', 2, marked(shop, 'white'));
    const gold = async () => (await stepsOf(shop.projectId)).find(({ id }) => id === 'gold');
    expect(await gold()).toMatchObject({ state: 'missing' });
    expect((await gold())?.missing).toContain(
      'Attributes: 1 of 2 images for the exam, 0 of 1 image for practice',
    );
    await addGold(db(), shop, 'attributes', 1, marked(shop, 'white'), { pool: 'exam' });
    expect((await gold())?.missing).toContain('Attributes: 0 of 1 image for practice');
    await addGold(db(), shop, 'attributes', 1, marked(shop, 'white'), { pool: 'practice' });
    expect(await gold()).toMatchObject({ state: 'done', missing: null, done: '5 gold items in use.' });
  });

  it('is read in as many statements for many images as for one', async () => {
    const shop = await workshop(db());
    const count = async () => (await statementsOf(() => stepsOf(shop.projectId))).length;
    const before = await count();
    for (let n = 0; n < 5; n++) await addImage(db(), shop.projectId);
    expect(await count()).toBe(before);
  });
});
