import { eq } from 'drizzle-orm';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { newId, tables } from '@/db';
import { systemActor } from '@/lib/core/actor';
import { format as coco } from '@/lib/core/formats/coco';
import type { SourceTree } from '@/lib/core/formats/format';
import { type Mapping, parseMapping, writeMapping } from '@/lib/core/formats/mapping';
import { encodeCounts, rasterizePolygons } from '@/lib/core/mask';
import { readLabels } from '@/lib/services/datasets/freeze/read-labels';
import { importDataset } from '@/lib/services/datasets/import/import-dataset';
import { namesOf, planImport } from '@/lib/services/datasets/import/plan-import';
import { PreviewChoice, renderPreviews } from '@/lib/services/datasets/import/render-previews';
import { deleteMapping, listMappings, saveMapping } from '@/lib/services/datasets/import/saved-mappings';
import { chooseFormat } from '@/lib/services/datasets/import/source-trees';
import { createProject } from '@/lib/services/projects';
import { handmade } from '@/test/core/formats/support/dataset-files';
import { useIngest } from '../../images/ingest/story';
import { declare } from '../../jobs/worker';

const { db, context } = useIngest();
const curator = systemActor('Cora');
const WIDTH = 96;
const HEIGHT = 72;

const picture = (seed: number, width = WIDTH, height = HEIGHT) =>
  sharp({ create: { width, height, channels: 3, background: { r: seed, g: 90, b: 200 - seed } } })
    .png()
    .toBuffer();

const NAMES = ['hood', 'trunk', 'front_left_door', 'left_mirror', 'right_mirror', 'wheel'];
const IMAGES = 12;

/** Parts of a car that touch each other, without an outline; wheels come in twos. */
function carAnnotations(image: number) {
  const at = (x: number, y: number, w: number, h: number) => [x, y, x + w, y, x + w - 0.5, y + h, x, y + h];
  const shift = image % 5;
  const shapes: [name: string, ring: number[]][] = [
    ['hood', at(10 + shift, 20, 18, 12)],
    ['trunk', at(60 + shift, 20, 14, 12)],
    ['front_left_door', at(29 + shift, 18, 30, 20)],
    ['left_mirror', at(28 + shift, 14, 4, 4)],
    ['wheel', at(14 + shift, 33, 9, 9)],
    ['wheel', at(60 + shift, 33, 9, 9)],
    ...(image % 2 ? ([['right_mirror', at(58 + shift, 14, 3, 4)]] as [string, number[]][]) : []),
  ];
  return shapes.map(([name, ring]) => ({ name, ring }));
}

interface Row {
  id: number;
  [key: string]: unknown;
}

function carDocument() {
  const annotations: Row[] = [];
  for (let image = 1; image <= IMAGES; image++)
    for (const { name, ring } of carAnnotations(image))
      annotations.push({
        id: annotations.length + 1,
        image_id: image,
        category_id: NAMES.indexOf(name) + 1,
        segmentation: [ring],
        iscrowd: false,
      });
  return {
    images: [...Array(IMAGES).keys()].map(
      (i): Row => ({ id: i + 1, file_name: `${i + 1}.png`, width: WIDTH, height: HEIGHT }),
    ),
    annotations,
    categories: NAMES.map((name, i): Row => ({ id: i + 1, name, supercategory: '' })),
  };
}

async function carTree(change: (document: ReturnType<typeof carDocument>) => unknown = (same) => same) {
  const pictures: Record<string, unknown> = {};
  for (let i = 1; i <= IMAGES; i++) pictures[`car-parts/images/${i}.png`] = await picture(i);
  return handmade({ 'car-parts/annotations.json': change(carDocument()), ...pictures });
}

async function draft(preset = 'rival10'): Promise<string> {
  await declare(db(), ['rate-labels', 'ask-questions']);
  return (await createProject(db(), curator, { name: 'P', slug: `p-${newId()}`, preset })).id;
}

const bring = (projectId: string, tree: SourceTree, mapping?: Mapping) =>
  importDataset(context(), { projectId, author: curator, mayAdopt: true, tree, mapping, name: 'car-parts' });

async function plan(tree: SourceTree, mapping?: Mapping) {
  const { format, because } = await chooseFormat(tree);
  return planImport(tree, { format, because, mapping, project: null, names: namesOf(tree) });
}

const labelsOf = (projectId: string) =>
  db().select().from(tables.labels).where(eq(tables.labels.projectId, projectId));

describe('a flat COCO file of parts', () => {
  it('creates a project with one class, its parts and their instances, and every annotation is there', async () => {
    const tree = await carTree();
    const planned = await plan(tree);
    expect(planned.schema.classes.map(({ id }) => id)).toEqual(['car']);
    expect(planned.schema.parts.map(({ id, numbered }) => [id, numbered === true])).toEqual(
      NAMES.map((name) => [name, name === 'wheel']),
    );
    const total = carDocument().annotations.length;
    expect(planned.totals).toEqual({ annotations: total, imported: total, skipped: 0 });
    await declare(db(), ['rate-labels', 'ask-questions']);
    const { id: projectId } = await createProject(db(), curator, {
      name: 'Cars',
      slug: `p-${newId()}`,
      schema: planned.schema,
    });
    const counts = await bring(projectId, tree, planned.mapping);
    expect(counts.annotations).toEqual({ total, written: total, merged: 0, known: 0, skipped: 0 });
    expect(counts.categories.find(({ category }) => category === 'wheel')).toMatchObject({
      target: 'part wheel of car',
      total: 2 * IMAGES,
      written: 2 * IMAGES,
    });
    const images = await db().select().from(tables.images).where(eq(tables.images.projectId, projectId));
    const members = images.map(({ id, ...image }) => ({ ...image, imageId: id }));
    const labels = await readLabels(db(), members as never, planned.schema);
    const masks = images.flatMap(({ id, name, className }) => {
      expect(className).toBe('car');
      const objects = labels.get(id)?.objects ?? [];
      expect(objects).toHaveLength(1);
      return (objects[0]?.parts ?? []).flatMap((part) =>
        (part.instances ?? [part.mask]).map((mask) => `${name} ${part.id} ${encodeCounts(mask)}`),
      );
    });
    const truth = [...Array(IMAGES).keys()].flatMap((i) =>
      carAnnotations(i + 1).map(
        ({ name, ring }) => `${i + 1}.png ${name} ${encodeCounts(rasterizePolygons([ring], HEIGHT, WIDTH))}`,
      ),
    );
    expect(masks.sort()).toEqual(truth.sort());
  });

  it('gives an empty draft its schema without a mapping file, and twelve pictures with colours', async () => {
    const projectId = await draft();
    const tree = await carTree();
    const counts = await bring(projectId, tree);
    expect(counts).toMatchObject({ isNewSchema: true, annotations: { skipped: 0 } });
    const again = await bring(projectId, tree);
    expect(again.annotations).toMatchObject({ written: 0, known: counts.annotations.total, skipped: 0 });

    const { format, because } = await chooseFormat(tree);
    const choice = new PreviewChoice();
    const planned = await planImport(tree, {
      format,
      because,
      project: null,
      names: ['car-parts'],
      onImage: (image) => choice.add(image),
    });
    const previews = await renderPreviews(tree, choice.images(), planned);
    expect(previews).toHaveLength(12);
    const { data, info } = await sharp(previews[0]?.picture as Buffer)
      .raw()
      .toBuffer({ resolveWithObject: true });
    const colourAt = (x: number, y: number) => [
      ...data.subarray((y * info.width + x) * info.channels).subarray(0, 3),
    ];
    expect(colourAt(40, 28)).not.toEqual(colourAt(2, 2));
  });

  it('is imported as an edited mapping file says', async () => {
    const tree = await carTree();
    const proposed = await plan(tree);
    const edited = writeMapping(proposed.mapping)
      .replaceAll('of: [ car ]', 'of: [ vehicle ]')
      .replace(
        /- source: trunk\n\s+to: part\n\s+name: trunk\n\s+of: .*\n/,
        '- source: trunk\n    to: skip\n',
      );
    const projectId = await draft();
    const counts = await bring(projectId, tree, parseMapping(edited));
    expect(counts.annotations).toMatchObject({ total: proposed.totals.annotations, skipped: IMAGES });
    expect(counts.categories.find(({ category }) => category === 'trunk')?.reasons).toEqual([
      { reason: 'the mapping skips the category', count: IMAGES },
    ]);
    const rows = await labelsOf(projectId);
    expect(rows.some(({ target }) => target === 'trunk')).toBe(false);
    const images = await db().select().from(tables.images).where(eq(tables.images.projectId, projectId));
    expect(new Set(images.map(({ className }) => className))).toEqual(new Set(['vehicle']));
  });

  it('into a project that keeps its schema: what has no place is skipped with the reason', async () => {
    const projectId = await draft();
    const tree = await carTree();
    await bring(projectId, tree);
    const other = await carTree((document) => ({
      ...document,
      images: document.images.map((image) => ({ ...image, file_name: `${image.id}.png` })),
      categories: document.categories.map((row) => (row.name === 'hood' ? { ...row, name: 'antenna' } : row)),
    }));
    const counts = await bring(projectId, other);
    expect(counts.annotations.total).toBe(carDocument().annotations.length);
    expect(counts.categories.find(({ category }) => category === 'antenna')).toMatchObject({
      skipped: IMAGES,
    });
    expect(counts.categories.find(({ category }) => category === 'wheel')).toMatchObject({
      known: 2 * IMAGES,
    });
  });
});

it('12 annotations of which 2 are usable are 12, and not 2', async () => {
  const square = [[2, 2, 9, 2, 9, 9, 2, 9]];
  const rows = [
    { segmentation: square },
    { segmentation: square },
    { segmentation: undefined },
    { segmentation: [[0, 0, 1, 1]] },
    { segmentation: [] },
    { segmentation: { counts: [5], size: [48, 64] } },
    { category_id: 9, segmentation: square },
    { image_id: 2, segmentation: square },
    { image_id: 3, segmentation: square },
    { segmentation: [[1, 1, 2, 2, 3, 3]] },
    { segmentation: 'x' },
    { image_id: 4, segmentation: square },
  ];
  const tree = handmade({
    'annotations.json': {
      images: [
        { id: 1, file_name: 'a.png', width: 64, height: 48 },
        { id: 2, file_name: 'missing.png', width: 64, height: 48 },
        { id: 4, file_name: 'b.png', width: 32, height: 48 },
      ],
      categories: [{ id: 1, name: 'dog' }],
      annotations: rows.map((row, i) => ({ id: i + 1, image_id: 1, category_id: 1, ...row })),
    },
    'a.png': await picture(1, 64, 48),
    'b.png': await picture(2, 64, 48),
  });
  const { annotations, categories } = await bring(await draft(), tree);
  expect(annotations).toEqual({ total: 12, written: 2, merged: 0, known: 0, skipped: 10 });
  const reasons = categories.flatMap((each) => each.reasons);
  expect(reasons.reduce((sum, { count }) => sum + count, 0)).toBe(10);
  expect(reasons.map(({ reason }) => reason).join('\n')).toMatch(
    /its image was refused: The masks have 32 × 48/,
  );
});

describe('hostile files give one clear message, and nothing is written', () => {
  const nothing = async (projectId: string) => {
    expect(await labelsOf(projectId)).toEqual([]);
    expect(await db().select().from(tables.images).where(eq(tables.images.projectId, projectId))).toEqual([]);
  };

  it.each([
    [
      'truncated',
      (text: string) => text.slice(0, 900),
      /annotations\.json is truncated JSON \(it ends at byte 900\)/,
    ],
    [
      'damaged',
      (text: string) => text.replace(`"annotations":[`, `"annotations":[,`),
      /annotations\.json is not valid JSON \(byte \d+\)/,
    ],
    [
      'of two categories with one id',
      (text: string) => text.replace('"id":2,"name":"trunk"', '"id":1,"name":"trunk"'),
      /annotations\.json has two categories with the id 1/,
    ],
    [
      'of two images with one id',
      (text: string) => text.replace('"id":2,"file_name"', '"id":1,"file_name"'),
      /annotations\.json has two images with the id 1/,
    ],
  ])('%s', async (_, change, message) => {
    const projectId = await draft();
    const text = change(JSON.stringify(carDocument()));
    const tree = handmade({ 'annotations.json': text, '1.png': await picture(1) });
    await expect(bring(projectId, tree)).rejects.toThrow(message);
    await nothing(projectId);
    const both = handmade({
      'annotations.json': text,
      'more/annotations.json': JSON.stringify(carDocument()),
      '1.png': await picture(1),
    });
    await expect(bring(projectId, both)).rejects.toThrow(/annotations\.json/);
    await nothing(projectId);
  });

  it('a polygon of four million vertices', async () => {
    const ring = new Array(8_000_000).fill(0).map((_, i) => i % 50);
    const document = carDocument();
    const tree = await carTree(() => ({
      ...document,
      annotations: [{ id: 1, image_id: 1, category_id: 1, segmentation: [ring] }],
    }));
    const projectId = await draft();
    const counts = await bring(projectId, tree);
    expect(counts.annotations).toMatchObject({ total: 1, written: 0, skipped: 1 });
    expect(counts.notes.filter((note) => /more than 2000000 numbers/.test(note))).toHaveLength(1);
    expect(await labelsOf(projectId)).toEqual([]);
  });

  it('cyclic supercategories, and annotation ids that occur twice', async () => {
    const projectId = await draft();
    const tree = await carTree((document) => ({
      ...document,
      categories: document.categories.map((row, i) => ({
        ...row,
        supercategory: NAMES[(i + 1) % NAMES.length],
      })),
      annotations: document.annotations.map((row) => ({ ...row, id: 7 })),
    }));
    const counts = await bring(projectId, tree);
    expect(counts.annotations).toMatchObject({ written: counts.annotations.total, skipped: 0 });
    expect(counts.notes.filter((note) => /have the id of another one/.test(note))).toHaveLength(1);
  });

  it('a picture that is none, and one of another size', async () => {
    const document = carDocument();
    const tree = handmade({
      'annotations.json': { ...document, images: document.images.slice(0, 2) },
      '1.png': Buffer.from('{"images": [1, 2'),
      '2.png': await picture(2, 50, 50),
    });
    const projectId = await draft();
    const counts = await bring(projectId, tree);
    expect(counts.images).toMatchObject({ refused: 2, accepted: 0 });
    expect(counts.annotations).toMatchObject({ written: 0, skipped: document.annotations.length });
    // Another attempt of the same job counts them as refused, and not as imported before.
    const { uploadId } = counts;
    const given = { projectId, author: curator, mayAdopt: true, tree, name: 'car-parts', uploadId };
    const again = await importDataset(context(), given);
    expect(again.images).toMatchObject({ refused: 2, before: 0 });
    expect(again.annotations).toMatchObject({ known: 0, skipped: document.annotations.length });
    const reasons = counts.reasons.map(({ reason }) => reason).join('\n');
    expect(reasons).toMatch(/truncated JSON/);
    expect(reasons).toMatch(/masks have 96 × 72 pixels, but the picture has 50 × 50/);
    await nothing(projectId);
  });
});

it('mappings are saved with the project, replaced by name, and deleted', async () => {
  const projectId = await draft();
  const mapping = parseMapping('version: 1\ncategories:\n- {source: a, to: skip}\n');
  const first = await saveMapping(db(), curator, { projectId, name: 'Cars', mapping });
  const second = await saveMapping(db(), curator, {
    projectId,
    name: 'Cars',
    mapping: { ...mapping, schema: 'project' },
  });
  expect(second.id).toBe(first.id);
  expect(await listMappings(db(), projectId)).toMatchObject([
    { name: 'Cars', mapping: { schema: 'project' } },
  ]);
  await deleteMapping(db(), { projectId, id: first.id });
  expect(await listMappings(db(), projectId)).toEqual([]);
  await expect(deleteMapping(db(), { projectId, id: first.id })).rejects.toThrow();
  expect(coco.reader?.open).toBeDefined();
});
