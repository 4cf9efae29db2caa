import { and, eq } from 'drizzle-orm';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { newId, tables } from '@/db';
import { systemActor } from '@/lib/core/actor';
import { formats } from '@/lib/core/formats';
import { format as coco } from '@/lib/core/formats/coco';
import type { Dataset } from '@/lib/core/formats/dataset';
import type { SourceTree } from '@/lib/core/formats/format';
import { encodeCounts } from '@/lib/core/mask';
import { schemaPreset } from '@/lib/core/schema/presets';
import { listQueue, queueCounts } from '@/lib/services/curation/audit/queue';
import { rateLabels } from '@/lib/services/curation/audit/rate-labels';
import { readLabels } from '@/lib/services/datasets/freeze/read-labels';
import { importDataset } from '@/lib/services/datasets/import/import-dataset';
import { createProject } from '@/lib/services/projects';
import { handmade, partDataset, streetDataset } from '@/test/core/formats/support/dataset-files';
import { treeOf, written } from '../../../support/formats';
import { useIngest } from '../../images/ingest/story';
import { declare } from '../../jobs/worker';

const { db, context } = useIngest();
const curator = systemActor('Cora');

async function newDraft(preset = 'part-imagenet'): Promise<string> {
  await declare(db(), ['rate-labels', 'ask-questions']);
  const { id } = await createProject(db(), curator, { name: 'Brought in', slug: `p-${newId()}`, preset });
  return id;
}

const bring = (projectId: string, tree: SourceTree, format?: string, signal?: AbortSignal) =>
  importDataset(context(signal), { projectId, author: curator, mayAdopt: true, tree, format });

const treeOfDataset = async (dataset: Dataset, format = coco) => treeOf(await written(format, dataset));

const addsUp = ({ images, labels }: Awaited<ReturnType<typeof bring>>) =>
  images.total === images.accepted + images.duplicate + images.refused + images.before &&
  labels.total === labels.written + labels.known + labels.leftOut;

const rowsOf = (projectId: string) =>
  db().select().from(tables.labels).where(eq(tables.labels.projectId, projectId));

describe('an existing COCO set', () => {
  it('is brought in twice: nothing doubles, and its labels can be seen and audited', async () => {
    const projectId = await newDraft();
    const tree = await treeOfDataset(await partDataset());
    const first = await bring(projectId, tree);
    expect(first).toMatchObject({ format: 'coco', images: { total: 6, accepted: 6, refused: 0 } });
    expect(first.because).toBe(
      'annotations/instances_test.json and 2 more have 6 images, 27 annotations and 51 categories',
    );
    expect(first.labels.leftOut).toBe(0);
    expect(addsUp(first)).toBe(true);
    const labels = await rowsOf(projectId);
    expect(labels).toHaveLength(first.labels.written);
    expect(new Set(labels.map(({ source, confidence }) => `${source} ${confidence}`))).toEqual(
      new Set(['import 1']),
    );
    expect(labels[0]?.provenance).toMatchObject({ format: 'coco', path: expect.stringMatching(/JPEG$/) });

    const again = await bring(projectId, tree);
    expect(again).toMatchObject({
      images: { accepted: 0, duplicate: 6 },
      labels: { written: 0, leftOut: 0 },
    });
    expect(addsUp(again)).toBe(true);
    expect(await rowsOf(projectId)).toHaveLength(labels.length);
    const rating = await db()
      .select()
      .from(tables.jobs)
      .where(and(eq(tables.jobs.projectId, projectId), eq(tables.jobs.kind, 'rate-labels')));
    expect(rating.length).toBeGreaterThan(0);
  });

  it('freezes to the very masks that it had, splits as a column', async () => {
    const projectId = await newDraft('cityscapes-parts');
    const dataset = await streetDataset();
    await bring(projectId, await treeOfDataset(dataset));
    const images = await db().select().from(tables.images).where(eq(tables.images.projectId, projectId));
    const members = images.map(({ id, ...image }) => ({ ...image, imageId: id }));
    const labels = await readLabels(db(), members as never, dataset.schema);
    for await (const image of dataset.images()) {
      const row = images.find(({ name }) => name.replace(/\.\w+$/, '') === image.name.replace(/\.\w+$/, ''));
      expect(row).toMatchObject({
        className: image.className,
        columns: { split: image.split },
        groupKey: 'aachen',
      });
      const found = labels.get(row?.id ?? '')?.objects ?? [];
      const told = (objects: typeof found) =>
        objects.map(({ className, instance, outline, parts, absent }) => ({
          className,
          instance,
          outline: outline && encodeCounts(outline.mask),
          parts: parts.map(({ id, mask }) => `${id} ${encodeCounts(mask)}`).sort(),
          absent: [...absent].sort(),
        }));
      expect(told(found)).toEqual(told(image.objects));
    }
  });

  it('gives an empty draft its schema, and a project that has images keeps its own', async () => {
    const dataset = await partDataset();
    const tree = await treeOfDataset(dataset);
    const draft = await newDraft('rival10');
    expect(await bring(draft, tree)).toMatchObject({ isNewSchema: true, labels: { leftOut: 0 } });
    const stages = await db().select().from(tables.stages).where(eq(tables.stages.projectId, draft));
    expect(stages.map(({ kind }) => kind)).not.toContain('attributes');

    const other = await newDraft('rival10');
    const cars = { ...schemaPreset('rival10') };
    await bring(
      other,
      handmade({ 'annotations/instances_train.json': oneDog('dog', 64, 48), 'train/a.png': await picture() }),
    );
    const result = await bring(other, tree);
    expect(result.isNewSchema).toBe(false);
    expect(result.labels.leftOut).toBeGreaterThan(0);
    expect(result.reasons.map(({ reason }) => reason).join()).toMatch(
      /class "Quadruped" is not in the project's schema/,
    );
    expect(addsUp(result)).toBe(true);
    expect(cars.id).toBe('rival10');
  });

  it('that is cancelled half-way carries on in the next attempt', async () => {
    const projectId = await newDraft();
    const tree = await treeOfDataset(await partDataset());
    const stop = new AbortController();
    let done = 0;
    const interrupted = {
      ...context(stop.signal),
      async progress() {
        if (++done === 3) stop.abort(new Error('stopped'));
        stop.signal.throwIfAborted();
      },
    };
    const input = { projectId, author: curator, mayAdopt: true, tree };
    await expect(importDataset(interrupted, input)).rejects.toThrow('stopped');
    const [upload] = await db().select().from(tables.uploads).where(eq(tables.uploads.projectId, projectId));
    const result = await importDataset(context(), { ...input, uploadId: upload?.id });
    expect(result.images.total).toBe(6);
    expect(result.images.before).toBeGreaterThan(0);
    expect(result.images.duplicate).toBe(0);
    expect(addsUp(result)).toBe(true);
  });
});

const picture = (width = 64, height = 48, orientation?: number) => {
  const plain = sharp({ create: { width, height, channels: 3, background: { r: width, g: height, b: 9 } } });
  return orientation ? plain.withMetadata({ orientation }).jpeg().toBuffer() : plain.png().toBuffer();
};

const oneDog = (name: string, width: number, height: number, file = 'a.png') => ({
  images: [{ id: 1, file_name: file, width, height }],
  categories: [{ id: 1, name }],
  annotations: [{ id: 1, image_id: 1, category_id: 1, segmentation: [[2, 2, 9, 2, 9, 9, 2, 9]], iscrowd: 0 }],
});

it('parts of a second object are not said to lie outside of the first', async () => {
  const projectId = await newDraft('cityscapes-parts');
  await bring(projectId, await treeOfDataset(await streetDataset()));
  await rateLabels({ ...context(), jobId: newId() }, { projectId, all: true });
  const risks = await db().select().from(tables.labelRisks).where(eq(tables.labelRisks.projectId, projectId));
  expect(risks.length).toBeGreaterThan(20);
  expect(risks.flatMap(({ warnings }) => warnings)).not.toContain('part-outside-object');
  // Nobody has looked at imported labels: an expected error would be invented.
  expect(risks.every(({ risk, rank }) => risk === null && rank < 0)).toBe(true);
  const counts = await queueCounts(db(), projectId);
  expect(counts).toMatchObject({ expectedErrors: 0, unknown: risks.length });
  const queue = { projectId, limit: 15 };
  const first = await listQueue(db(), queue);
  const second = await listQueue(db(), { ...queue, ...(first.next && { after: first.next }) });
  const shown = [...first.rows, ...second.rows].map(({ labelId }) => labelId);
  expect(new Set(shown).size).toBe(shown.length);
  expect(shown.length).toBeGreaterThan(15);
});

describe('masks are never scaled or turned', () => {
  it.each([
    [
      'of another size',
      () => picture(32, 24),
      'a.png',
      /masks have 64 × 48 pixels, but the picture has 32 × 24/,
    ],
    ['that EXIF turns', () => picture(64, 48, 6), 'a.jpg', /EXIF data rotate the picture/],
    ['that is none', async () => Buffer.from('hello'), 'a.png', /not a picture/],
  ])('a picture %s is refused, with the reason', async (_, make, file, why) => {
    const projectId = await newDraft('rival10');
    const tree = handmade({
      'annotations/instances_train.json': oneDog('dog', 64, 48, file),
      [`train/${file}`]: await make(),
    });
    const result = await bring(projectId, tree);
    expect(result).toMatchObject({ images: { refused: 1, accepted: 0 }, labels: { written: 0, leftOut: 1 } });
    expect(result.reasons[0]?.reason).toMatch(why);
    expect(await rowsOf(projectId)).toEqual([]);
  });
});

describe('what is asked afterwards', () => {
  it('is what the dataset did not say: the class has four parts, and one was drawn', async () => {
    const projectId = await newDraft();
    const tree = handmade({
      'annotations/instances_train.json': {
        ...oneDog('Quadruped Head', 64, 48),
        categories: [
          { id: 1, name: 'Quadruped Head', supercategory: 'Quadruped' },
          { id: 2, name: 'Quadruped' },
        ],
        annotations: [1, 2].map((id) => ({
          id,
          image_id: 1,
          category_id: id,
          segmentation: [[2, 2, 9, 2, 9, 9, 2, 9]],
        })),
      },
      'train/a.png': await picture(),
    });
    const { labels } = await bring(projectId, tree);
    expect(labels).toMatchObject({ written: 2, leftOut: 0 });
    const items = await db().select().from(tables.items).where(eq(tables.items.projectId, projectId));
    expect(
      items
        .filter(({ state }) => state === 'settled')
        .map(({ target }) => target)
        .sort(),
    ).toEqual(['', 'Quadruped Head']);
    expect(
      items
        .filter(({ state }) => state === 'open')
        .map(({ target }) => target)
        .sort(),
    ).toEqual(['Quadruped Body', 'Quadruped Foot', 'Quadruped Tail']);
  });
});

it('texts that PostgreSQL cannot hold come in without what it cannot', async () => {
  const projectId = await newDraft();
  const facts = { class: 'do\0g', group: 'a\0b', columns: { 'c\0': 'd\ud800' }, attributes: ['\0'] };
  const document = oneDog('do\0g', 64, 48);
  const images = [{ ...document.images[0], tessera: facts }];
  const categories = [...document.categories, { id: 2, name: '\ud800', supercategory: '\0' }];
  const annotations = [...document.annotations, { id: '\0', image_id: 1, category_id: 9 }];
  const result = await bring(
    projectId,
    handmade({
      'annotations/instances_train.json': { images, categories, annotations },
      'train/a.png': await picture(),
    }),
  );
  expect(result.images.accepted).toBe(1);
  expect(result.categories.map(({ category, written }) => [category, written])).toContainEqual(['dog', 1]);
  const [row] = await db().select().from(tables.images).where(eq(tables.images.projectId, projectId));
  expect(row).toMatchObject({ groupKey: 'ab', columns: { c: 'd', split: 'train' } });
});

it('a reader’s fault is told in the words of the format', async () => {
  const projectId = await newDraft();
  await expect(bring(projectId, handmade({ 'a.txt': 'x' }))).rejects.toThrow(
    /No label files of a known format/,
  );
  await expect(bring(projectId, handmade({ 'a.txt': 'x' }), 'coco')).rejects.toThrow(
    /cannot be read as COCO instances/,
  );
  await expect(bring(projectId, handmade({ 'a.txt': 'x' }), 'nonsense')).rejects.toThrow(
    /Use one of: .*coco/,
  );
  expect(formats.length).toBeGreaterThan(10);
});
