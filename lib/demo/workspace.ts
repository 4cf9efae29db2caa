import { eq, sql } from 'drizzle-orm';
import { type Database, type Transaction, tables } from '@/db';
import type { Role } from '@/db/schema';
import { systemActor } from '@/lib/core/actor';
import { defaultPolicy, type Policy } from '@/lib/core/quality/policy';
import { newestText } from '@/lib/services/crowd/consent/texts';
import { rateSoon } from '@/lib/services/jobs';
import { createProject, getProject } from '@/lib/services/projects';
import { storage as defaultStorage, type Storage } from '@/lib/services/storage';
import { Collection, type DemoProject, type Reach } from './collection';
import { labelParts } from './complete';
import type { DemoImage, DemoStage } from './past-work';
import { demoPassword, demoPeople, demoWorkers, ensurePeople } from './people';
import { makePictures } from './pictures';
import type { SceneOptions } from './scenes';

export type DemoContext = {
  db: Database;
  storage?: Storage;
  size?: DemoSize;
  onProgress?: (text: string) => void;
};

export type DemoSignIn = { role: string; name: string; email: string; password: string };

const DAY = 86_400_000;

export type DemoSize = {
  /** Pictures whose truth is gold in the collection. */
  gold: number;
  /** Pictures of one chunk; each chunk of the collection has come equally far. */
  chunk: number;
  /** Pictures of the fully labelled project. */
  parts: number;
  /** Pictures of the two small ones beside it. */
  few: number;
};

/** Enough to fill the pages, little enough for a first start. */
const defaultSize: DemoSize = { gold: 36, chunk: 24, parts: 88, few: 50 };

/** The policy of a new project in smaller batches, so that few pictures make a history worth looking at. */
const demoPolicy: Policy = {
  ...defaultPolicy,
  batchSize: { attributes: 10, masks: 10 },
  attributeExam: { ...defaultPolicy.attributeExam, images: 10 },
  checkRate: 0.1,
  // Simulated workers (`tessera simulate --accelerate`) answer at once and are to be paid.
  payReview: { ...defaultPolicy.payReview, minFormSeconds: 0, minMaskSeconds: 0 },
  pay: {
    ...defaultPolicy.pay,
    attributeBatch: defaultPolicy.pay.attributeBatch / 2,
    attributeExam: defaultPolicy.pay.attributeExam / 2,
    terms: 'By bank transfer on the first Monday of each month, from 10.00 USD on.',
  },
};

/** Three people for each question of the first pictures, so that there is agreement to measure. */
const chunks: { reach: Reach; people?: number }[] = [
  { reach: 'masks', people: 3 },
  { reach: 'masks' },
  { reach: 'attributes' },
  { reach: 'untouched' },
];

/** The demo workspace: made once, step by step, so that a start that was killed goes on where it stopped. */
export async function ensureDemo(context: DemoContext): Promise<{ signIns: DemoSignIn[] }> {
  const password = await demoPassword();
  const people = await ensurePeople(context.db, password);
  await ensureProject(context, people, {
    slug: 'rival10-demo',
    name: 'RIVAL10 demo',
    preset: 'rival10',
    description: 'Ten classes, 18 attributes and their masks, in mid-collection. Pictures are generated.',
    state: 'collecting',
    fill: fillCollection,
  });
  await ensureProject(context, people, {
    slug: 'part-imagenet-demo',
    name: 'Part-ImageNet demo',
    preset: 'part-imagenet',
    description:
      'Eleven super-classes with 40 parts, fully labelled and ready to export. Pictures are generated.',
    state: 'finished',
    fill: fillParts,
  });
  await ensureProject(context, people, {
    slug: 'cityscapes-demo',
    name: 'Cityscapes parts demo',
    preset: 'cityscapes-parts',
    description:
      'Street scenes with several road users each, nine parts, fully labelled. Pictures are generated.',
    state: 'finished',
    fill: fillFew,
  });
  await ensureProject(context, people, {
    slug: 'pascal-part-demo',
    name: 'PASCAL-Part demo',
    preset: 'pascal-part',
    classes: ['aeroplane', 'bird', 'car', 'cat', 'dog'],
    description: 'Five of the twenty classes with their fine parts, fully labelled. Pictures are generated.',
    state: 'finished',
    fill: fillFew,
  });
  return {
    signIns: Object.entries(demoPeople).map(([key, { name, email }]) => ({
      role: key.replace(/\d$/, ''),
      name,
      email,
      password,
    })),
  };
}

type Plan = {
  slug: string;
  name: string;
  preset: SceneOptions['preset'];
  /** Those that get pictures; all of the preset where nothing is said. */
  classes?: string[];
  description: string;
  state: 'collecting' | 'finished';
  fill: (context: Filling) => Promise<void>;
};

type Filling = {
  project: DemoProject;
  size: DemoSize;
  people: Map<string, string>;
  /** Makes the next pictures of the series, in order. */
  draw: (count: number) => Promise<DemoImage[]>;
  write: (work: (tx: Transaction) => Promise<void>) => Promise<void>;
};

/** A project is complete once it has left the state draft; an incomplete one from a killed start is recreated. */
async function ensureProject(context: DemoContext, people: Map<string, string>, plan: Plan): Promise<void> {
  const { db } = context;
  const storage = context.storage ?? defaultStorage();
  const [found] = await db
    .select({ id: tables.projects.id, state: tables.projects.state })
    .from(tables.projects)
    .where(eq(tables.projects.slug, plan.slug));
  if (found && found.state !== 'draft') return;
  if (found) await eraseProject(db, found.id);
  const project = await makeProject(db, plan);
  await addMembers(db, project.id, people);
  await agreeAll(db, project.id, people);
  let drawn = 0;
  await plan.fill({
    project,
    size: context.size ?? defaultSize,
    people,
    draw: async (count) => {
      const pictures: DemoImage[] = [];
      const classNames = plan.classes ?? project.schema.classes.map((entry) => entry.id);
      const series = { projectId: project.id, preset: plan.preset, classNames, first: drawn, count };
      for await (const picture of makePictures(db, storage, series)) {
        pictures.push(picture);
        drawn += 1;
        context.onProgress?.(`${plan.name}: ${drawn} pictures`);
      }
      return pictures;
    },
    write: (work) => db.transaction(work),
  });
  await db.transaction(async (tx) => {
    await tx.update(tables.projects).set({ state: plan.state }).where(eq(tables.projects.id, project.id));
    await rateSoon(tx, { projectId: project.id });
  });
}

/** Removes a project with all its evidence: only for generated projects and on a person's explicit wish. */
export async function eraseProject(db: Database, projectId: string): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.execute(`set local tessera.erase = 'on'`);
    await tx.update(tables.projects).set({ schemaVersionId: null }).where(eq(tables.projects.id, projectId));
    await tx.delete(tables.projects).where(eq(tables.projects.id, projectId));
  });
}

/** Deletes and recreates the demo projects. */
export async function resetDemo(context: DemoContext): Promise<{ signIns: DemoSignIn[] }> {
  const old = await context.db
    .select({ id: tables.projects.id })
    .from(tables.projects)
    .where(eq(tables.projects.isDemo, true));
  for (const { id } of old) await eraseProject(context.db, id);
  return ensureDemo(context);
}

async function makeProject(db: Database, plan: Plan): Promise<DemoProject> {
  const { id } = await createProject(db, systemActor('Demo'), { ...plan, policy: demoPolicy, isDemo: true });
  const { schema, schemaVersionId, stages } = await getProject(db, id);
  if (!schema || !schemaVersionId) throw new Error('A new project has a schema.');
  const stage = (kind: DemoStage['kind']) => {
    const found = stages.find((each) => each.kind === kind);
    return { id: found?.id ?? '', kind };
  };
  return {
    id,
    schema,
    schemaVersionId,
    policy: demoPolicy,
    stages: {
      attributes: stage('attributes'),
      objectMask: stage('object-mask'),
      partMask: stage('part-mask'),
    },
  };
}

async function addMembers(db: Database, projectId: string, people: Map<string, string>): Promise<void> {
  const createdAt = new Date(Date.now() - 10 * DAY);
  const member = (key: string, role: Role) => ({
    projectId,
    userId: people.get(key) as string,
    role,
    createdAt,
  });
  await db
    .insert(tables.memberships)
    .values([
      member(demoPeople.curator.key, 'curator'),
      member(demoPeople.researcher.key, 'researcher'),
      ...demoWorkers.map((worker) => member(worker.key, 'worker')),
    ]);
}

/** Nobody works without consent, nor did anybody in the demo's past. */
async function agreeAll(db: Database, projectId: string, people: Map<string, string>): Promise<void> {
  const { id: consentTextId } = await newestText(db, projectId);
  await db.insert(tables.consents).values(
    demoWorkers.map((worker) => ({
      projectId,
      workerId: people.get(worker.key) as string,
      consentTextId,
      kind: 'agreed' as const,
      createdAt: new Date(Date.now() - 10 * DAY),
    })),
  );
}

async function fillCollection({ project, size, people, draw, write }: Filling): Promise<void> {
  const start = new Date(Date.now() - 9 * DAY);
  const collection = new Collection(
    project,
    [...demoWorkers],
    (worker) => people.get(worker.key) as string,
    people.get(demoPeople.curator.key) as string,
    start,
  );
  const gold = await draw(size.gold);
  await write((tx) => collection.openWithExams(gold).write(tx));
  for (const [i, { reach, people: each }] of chunks.entries()) {
    const pictures = await draw(size.chunk);
    const at = new Date(start.getTime() + (1.5 + 2 * i) * DAY);
    await write((tx) => collection.addChunk(pictures, reach, at, each).write(tx));
  }
  await write((tx) => writeExposures(tx, collection));
}

async function writeExposures(tx: Transaction, collection: Collection): Promise<void> {
  await tx.execute(sql`
    update ${tables.gold} g set exposures = new.exposures
    from jsonb_to_recordset(${JSON.stringify(collection.exposures())}::jsonb)
      as new("goldId" uuid, exposures int)
    where g.id = new."goldId"`);
}

const fillParts = (filling: Filling) => fillLabelled(filling, filling.size.parts);
const fillFew = (filling: Filling) => fillLabelled(filling, filling.size.few);

async function fillLabelled({ project, draw, write }: Filling, count: number): Promise<void> {
  const pictures = await draw(count);
  const at = new Date(Date.now() - 2 * DAY);
  await write((tx) => labelParts(project, pictures, at).write(tx));
}
