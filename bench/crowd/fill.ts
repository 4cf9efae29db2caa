import { createHash } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { type Database, newId, tables } from '@/db';
import { forEachConcurrently } from '@/lib/core/concurrency';
import { encodeCounts } from '@/lib/core/mask';
import type { Policy } from '@/lib/core/quality/policy';
import type { RuleSetting } from '@/lib/core/quality/rules';
import { type DatasetSchema, localisedAttributes } from '@/lib/core/schema';
import { truthAnswer } from '@/lib/demo/past-work';
import type { KnownScenes, ListedPicture } from '@/lib/demo/simulation/known-scenes';
import { systemActor } from '@/lib/services/access';
import { askFirstQuestions } from '@/lib/services/crowd/work';
import { createProject, getProject } from '@/lib/services/projects';
import type { Storage } from '@/lib/services/storage';

const { blobs, gold, images, items, projects, ruleSets } = tables;

export interface Filling {
  slug: string;
  policy: Policy;
  rules: readonly RuleSetting[];
  /** Pictures to ask about, and pictures whose truth is gold in every stage. */
  pictures: number;
  gold: number;
  /** Gives every picture a file, of the same name and of little content. */
  storage?: Storage;
}

export interface Filled {
  projectId: string;
  slug: string;
  schema: DatasetSchema;
  schemaVersionId: string;
  stages: { id: string; kind: 'attributes' | 'object-mask' | 'part-mask'; position: number }[];
  /** By the blob that workers are shown. */
  pictures: Map<string, ListedPicture & { id: string }>;
}

/** Different scenes among the ordinary pictures: drawing one takes 20 ms, and a scene may come again. */
const SCENES = 400;
/** Gold comes from further along the series of scenes. */
const FIRST_GOLD = 50_000;
const SIDE = 320;
/** Rows per statement. */
const CHUNK = 500;

/** A project that collects, with rows of pictures and, unless asked for, no files: nothing here looks at a picture. */
export async function fillProject(db: Database, scenes: KnownScenes, filling: Filling): Promise<Filled> {
  const project = await makeProject(db, filling);
  const ordinary = Array.from({ length: filling.pictures }, (_, n) => pictureOf(project, n % SCENES));
  const trusted = Array.from({ length: filling.gold }, (_, n) => pictureOf(project, FIRST_GOLD + n));
  const added = await addImages(db, project.projectId, [...trusted, ...ordinary], filling.storage);
  await addGold(db, project, scenes, added.slice(0, filling.gold));
  await db.transaction((tx) => askFirstQuestions(tx, { projectId: project.projectId }));
  return { ...project, pictures: new Map(added.map(({ blob, ...picture }) => [blob, picture])) };
}

type Made = Omit<Filled, 'pictures'>;

async function makeProject(db: Database, { slug, policy, rules }: Filling): Promise<Made> {
  const { id } = await createProject(db, systemActor('bench'), { name: slug, slug, preset: 'rival10' });
  await db.update(projects).set({ state: 'collecting', policy }).where(eq(projects.id, id));
  await db.insert(ruleSets).values({ projectId: id, number: 1, rules: [...rules] });
  const { schema, schemaVersionId, stages } = await getProject(db, id);
  if (!schema || !schemaVersionId) throw new Error('A new project has a schema.');
  return { projectId: id, slug, schema, schemaVersionId, stages: stages as Filled['stages'] };
}

function pictureOf({ schema }: Made, seed: number): ListedPicture {
  const className = schema.classes[seed % schema.classes.length]?.id ?? '';
  const name = `${className.toLowerCase()}-${String(seed).padStart(5, '0')}.jpg`;
  return { name, className, width: SIDE, height: SIDE };
}

async function addImages(
  db: Database,
  projectId: string,
  list: readonly ListedPicture[],
  storage: Storage | undefined,
) {
  const rows = list.map((picture) => {
    const id = newId();
    const blob = createHash('sha256').update(id).digest('hex');
    // Of its own each: pictures that look alike would all go into one part of a split.
    const perceptualHash = BigInt.asIntN(64, BigInt(`0x${blob.slice(0, 16)}`));
    return { ...picture, id, blob, projectId, sourceSha256: blob, perceptualHash };
  });
  for (let from = 0; from < rows.length; from += CHUNK) {
    const chunk = rows.slice(from, from + CHUNK);
    if (storage)
      await forEachConcurrently(4, chunk, async ({ id }) => (await storage.stage(Buffer.from(id))).place());
    await db
      .insert(blobs)
      .values(chunk.map(({ blob, id }) => ({ sha256: blob, bytes: id.length, mediaType: 'image/jpeg' })));
    await db.insert(images).values(chunk);
  }
  return rows.map(({ id, blob, name, className, width, height }) => ({
    id,
    blob,
    name,
    className,
    width,
    height,
  }));
}

/** The truth about each picture in every stage; in the part stage about one attribute that it has. */
async function addGold(
  db: Database,
  { projectId, schema, schemaVersionId, stages }: Made,
  scenes: KnownScenes,
  pictures: readonly (ListedPicture & { id: string })[],
): Promise<void> {
  const localised = localisedAttributes(schema).map(({ id }) => id);
  for (const [n, picture] of pictures.entries()) {
    const scene = scenes.of(picture);
    if (!scene) throw new Error('The bench names its pictures as the demo does.');
    const there = localised.filter((id) => scene.attributeMasks[id]);
    for (const stage of stages) {
      const target = stage.kind === 'part-mask' ? there[n % Math.max(1, there.length)] : '';
      if (target === undefined) continue;
      const truth = truthAnswer(stage, { id: '', image: { id: picture.id, scene }, target }, schema);
      const itemId = newId();
      const asked = { projectId, stageId: stage.id, imageId: picture.id, schemaVersionId, target };
      await db.insert(items).values({ id: itemId, ...asked, state: 'settled' });
      const mask = truth.mask && encodeCounts(truth.mask);
      // In the order in which a new project fills its pools: exams and checks alike, practice less.
      const pool = (['exam', 'check', 'exam', 'check', 'practice'] as const)[n % 5];
      await db.insert(gold).values({ projectId, itemId, value: truth.value, mask, state: 'active', pool });
    }
  }
}
