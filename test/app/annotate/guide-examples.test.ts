import { eq } from 'drizzle-orm';
import { beforeAll, describe, expect, it } from 'vitest';
import { newId, tables } from '@/db';
import { guideExamples } from '@/lib/services/crowd/guide-examples';
import { useDatabase } from '../../support/database';
import { insertItem, insertProject, type ProjectRows } from '../../support/rows';

const db = useDatabase();
let project: ProjectRows;

beforeAll(async () => {
  project = await insertProject(db());
});

/** A picture whose attribute question is settled with these positives. */
async function labelled(className: string, positives: string[], state: 'settled' | 'open' = 'settled') {
  const { projectId } = project;
  const { imageId, itemId } = await insertItem(db(), project);
  await db().update(tables.images).set({ className }).where(eq(tables.images.id, imageId));
  await db().update(tables.items).set({ state }).where(eq(tables.items.id, itemId));
  const value = { kind: 'attributes', choices: { parts: positives, shape: ['none'] } };
  await db()
    .insert(tables.labels)
    .values({ projectId, itemId, imageId, value, source: 'answer', provenance: {}, confidence: 0.9 });
  return { imageId, itemId };
}

const shown = async (target: string) =>
  (await guideExamples(db(), project.projectId)).get(target)?.map((example) => example.imageId) ?? [];

describe('the examples of the guide', () => {
  it('show what the labels say, two at the most, of different classes first', async () => {
    const eagle = await labelled('bird', ['wings']);
    await labelled('bird', ['wings']);
    const plane = await labelled('plane', ['wings']);
    expect(new Set(await shown('wings'))).toEqual(new Set([eagle.imageId, plane.imageId]));
    expect(await shown('none')).toEqual([]);
  });

  it('leave out a class in which the attribute is so rare that it is likely a mistake', async () => {
    const first = await labelled('frog', ['wet']);
    await labelled('dog', ['wet']);
    for (let i = 0; i < 4; i++) await labelled('dog', ['ears']);
    expect(await shown('wet')).toEqual([first.imageId]);
  });

  it('never show a picture that has a gold item, in any stage and state', async () => {
    const secret = await labelled('ship', ['text']);
    const { projectId } = project;
    await db()
      .insert(tables.gold)
      .values({ id: newId(), projectId, itemId: secret.itemId, value: {}, state: 'retired' });
    expect(await shown('text')).toEqual([]);
  });

  it('show nothing that is still being asked', async () => {
    await labelled('equine', ['mane'], 'open');
    expect(await shown('mane')).toEqual([]);
  });

  it('show nothing of another project', async () => {
    const other = await insertProject(db());
    expect((await guideExamples(db(), other.projectId)).size).toBe(0);
  });
});
