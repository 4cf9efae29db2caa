import { and, eq } from 'drizzle-orm';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { newId, tables } from '@/db';
import { systemActor, type UserActor } from '@/lib/core/actor';
import { schemaPreset } from '@/lib/core/schema/presets';
import { askFirstQuestions } from '@/lib/services/crowd/work';
import { importDataset } from '@/lib/services/datasets/import/import-dataset';
import { canImportLabels } from '@/lib/services/datasets/import/import-upload';
import { createProject } from '@/lib/services/projects';
import { handmade } from '@/test/core/formats/support/dataset-files';
import { useIngest } from '../../images/ingest/story';
import { declare } from '../../jobs/worker';

const { db, context } = useIngest();
const curator = systemActor('Cora');

async function newDraft(preset = 'rival10'): Promise<string> {
  await declare(db(), ['rate-labels', 'ask-questions']);
  const { id } = await createProject(db(), curator, { name: 'Known', slug: `p-${newId()}`, preset });
  return id;
}

type Files = Parameters<typeof handmade>[0];
const bring = (projectId: string, files: Files, change: Partial<ReturnType<typeof context>> = {}) =>
  importDataset(
    { ...context(), ...change },
    { projectId, author: curator, mayAdopt: true, tree: handmade(files), format: 'coco' },
  );

const picture = await sharp({ create: { width: 64, height: 48, channels: 3, background: '#123456' } })
  .png()
  .toBuffer();

const square = (x: number, side = 8) => [x, 2, x + side, 2, x + side, 2 + side, x, 2 + side];

/** One picture, with squares at places by class. */
const coco = (...things: [name: string, x: number, side?: number][]) => {
  const names = [...new Set(things.map(([name]) => name))];
  return {
    images: [{ id: 1, file_name: 'a.png', width: 64, height: 48 }],
    categories: names.map((name, index) => ({ id: index + 1, name })),
    annotations: things.map(([name, x, side], index) => ({
      id: index + 1,
      image_id: 1,
      category_id: names.indexOf(name) + 1,
      segmentation: [square(x, side)],
    })),
  };
};

async function targets(projectId: string): Promise<string[]> {
  const rows = await db().select().from(tables.labels).where(eq(tables.labels.projectId, projectId));
  return rows.map(({ target }) => target).sort();
}

const itemsOf = (projectId: string) =>
  db().select().from(tables.items).where(eq(tables.items.projectId, projectId));

describe('a picture that the project has already', () => {
  it('keeps its class: objects of another class are no first objects', async () => {
    const projectId = await newDraft();
    await bring(projectId, { 'one.json': coco(['dog', 2]), 'a.png': picture });
    const second = await bring(projectId, {
      'two.json': coco(['cat', 30, 12], ['dog', 2]),
      'a.png': picture,
    });
    expect(second.labels).toMatchObject({ written: 1, known: 1, leftOut: 0 });
    expect(await targets(projectId)).toEqual(['', '#2:cat']);
    const [image] = await db().select().from(tables.images).where(eq(tables.images.projectId, projectId));
    expect(image?.className).toBe('dog');
  });

  it('in two label files of one set: what both have is there once, what one has is not lost', async () => {
    const projectId = await newDraft();
    const files = {
      'train.json': coco(['dog', 2], ['dog', 20]),
      'val.json': coco(['dog', 21], ['dog', 40, 10]),
      'a.png': picture,
    };
    const first = await bring(projectId, files);
    expect(first.labels).toMatchObject({ written: 3, known: 1 });
    expect(await targets(projectId)).toHaveLength(3);
    const again = await bring(projectId, files);
    expect(again.labels).toMatchObject({ written: 0, known: 4 });
    expect(await targets(projectId)).toHaveLength(3);
  });

  it('a question that somebody holds is not settled under their hands', async () => {
    const projectId = await newDraft('part-imagenet');
    await bring(projectId, { 'one.json': coco(['Car', 2]), 'a.png': picture });
    const items = (await itemsOf(projectId)).filter(({ target }) => target === 'Car Body');
    await db()
      .update(tables.items)
      .set({ leased: 1 })
      .where(eq(tables.items.id, items[0]?.id ?? ''));
    const parts = coco(['Car', 2], ['Car Body', 3, 4]);
    for (const category of parts.categories)
      if (category.name === 'Car Body') Object.assign(category, { supercategory: 'Car' });
    const second = await bring(projectId, { 'two.json': parts, 'a.png': picture });
    expect(second.labels).toMatchObject({ written: 0, known: 2 });
    const [held] = (await itemsOf(projectId)).filter(({ target }) => target === 'Car Body');
    expect(held?.state).toBe('open');
  });
});

it('what is still asked follows the form that counts, not the one that came', async () => {
  const projectId = await newDraft();
  const saying = (...attributes: string[]) => {
    const file = coco(['dog', 2]);
    const images = file.images.map((image) => ({ ...image, tessera: { class: 'dog', attributes } }));
    return {
      'one.json': { ...file, images },
      'a.png': picture,
      'tessera-schema.json': schemaPreset('rival10'),
    };
  };
  const asked = async () => (await itemsOf(projectId)).map(({ target }) => target).filter(Boolean);
  await bring(projectId, saying('tail', 'hairy', 'brown'));
  expect(await asked()).toEqual(['tail']);
  const second = await bring(projectId, saying('ears', 'hairy', 'brown'));
  expect(second.labels).toMatchObject({ written: 0, known: 2 });
  expect(await asked()).toEqual(['tail']);
});

it('a schema that is saved while a dataset comes in stops it, and the next import carries on', async () => {
  const projectId = await newDraft();
  const files = { 'one.json': coco(['dog', 2]), 'a.png': picture };
  const saveAnother = async () => {
    const [version] = await db()
      .select()
      .from(tables.schemaVersions)
      .where(eq(tables.schemaVersions.projectId, projectId));
    const id = newId();
    await db()
      .insert(tables.schemaVersions)
      .values({ id, projectId, number: 2, document: version?.document as never });
    await db().update(tables.projects).set({ schemaVersionId: id }).where(eq(tables.projects.id, projectId));
  };
  const tree = handmade(files);
  const late = {
    paths: tree.paths,
    async bytes(path: string) {
      if (path === 'a.png') await saveAnother();
      return tree.bytes(path);
    },
  };
  const input = { projectId, author: curator, mayAdopt: true, format: 'coco' };
  await expect(importDataset(context(), { ...input, tree: late })).rejects.toThrow(
    /schema changed during the import/,
  );
  expect(await targets(projectId)).toEqual([]);
  expect((await bring(projectId, files)).labels.written).toBe(1);
});

it('a stage that an import made for its labels asks nobody later', async () => {
  const projectId = await newDraft();
  const isAbout = eq(tables.stages.projectId, projectId);
  await db()
    .delete(tables.stages)
    .where(and(isAbout, eq(tables.stages.kind, 'object-mask')));
  await bring(projectId, { 'one.json': coco(['dog', 2]), 'a.png': picture });
  const stages = await db().select().from(tables.stages).where(isAbout);
  const made = stages.find(({ kind }) => kind === 'object-mask');
  expect(made?.state).toBe('closed');
  const other = await sharp(picture).resize(32, 32).png().toBuffer();
  await bring(projectId, {
    'b.json': {
      ...coco(['dog', 2]),
      images: [{ id: 1, file_name: 'b.png', width: 32, height: 32 }],
      annotations: [],
    },
    'b.png': other,
  });
  await db().transaction((tx) => askFirstQuestions(tx, { projectId }));
  const asked = (await itemsOf(projectId)).filter(({ state }) => state === 'open');
  expect(asked.length).toBeGreaterThan(0);
  expect(asked.filter(({ stageId }) => stageId === made?.id)).toEqual([]);
});

it('pictures that no label file lists are told, and so is a schema that gave way', async () => {
  const projectId = await newDraft('part-imagenet');
  const { notes, isNewSchema } = await bring(projectId, {
    'one.json': coco(['unicorn', 2]),
    'a.png': picture,
    'forgotten.png': picture,
  });
  expect(isNewSchema).toBe(true);
  expect(notes).toEqual([
    expect.stringMatching(/replaced the draft's schema ".+"/),
    '1 × pictures that no label file lists were left out (first: forgotten.png).',
  ]);
});

describe('a key that may only add images', () => {
  const key = (...scopes: ('images:write' | 'labels:write')[]): UserActor => ({
    kind: 'user',
    userId: newId(),
    name: 'Cora',
    email: 'cora@example.org',
    isAdmin: true,
    via: 'key',
    credentialId: newId(),
    scopes: new Set(scopes),
    requestId: null,
  });

  it('brings no labels in', async () => {
    const projectId = await newDraft();
    await expect(canImportLabels(db(), key('images:write'), projectId)).rejects.toThrow(
      /scope "labels:write"/,
    );
    await expect(canImportLabels(db(), key('labels:write'), projectId)).rejects.toThrow(
      /scope "images:write"/,
    );
    const both = await canImportLabels(db(), key('images:write', 'labels:write'), projectId);
    expect(both.project.id).toBe(projectId);
  });

  it('gives a project without schema none', async () => {
    const projectId = await newDraft();
    await db()
      .update(tables.projects)
      .set({ schemaVersionId: null })
      .where(eq(tables.projects.id, projectId));
    const tree = handmade({ 'one.json': coco(['dog', 2]), 'a.png': picture });
    await expect(
      importDataset(context(), { projectId, author: curator, mayAdopt: false, tree }),
    ).rejects.toThrow(/The project has no schema/);
  });
});
