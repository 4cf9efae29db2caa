import { createHash, randomBytes } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { type Database, newId, tables } from '@/db';
import type { GoldPool, StageKind } from '@/db/schema';
import { forEachConcurrently } from '@/lib/core/concurrency';
import { encodeCounts, rasterizeShapes } from '@/lib/core/mask';
import type { AnswerValue } from '@/lib/core/quality/answer';
import { defaultPolicy, type Policy } from '@/lib/core/quality/policy';
import { choicesFrom, type DatasetSchema, localisedAttributes } from '@/lib/core/schema';
import { systemActor } from '@/lib/services/access';
import { createProject, getProject } from '@/lib/services/projects';
import type { Storage } from '@/lib/services/storage';

const { blobs, gold, images, items, projects, ruleSets, stages } = tables;

export interface Target {
  projectId: string;
  stageId: string;
  kind: StageKind;
  schema: DatasetSchema;
  /** What a person sees on each image, by item. */
  truth: Map<string, AnswerValue>;
}

export interface TargetSize {
  images: number;
  gold: Record<GoldPool, number>;
}

/** The default policy with short exams, and without rules and pay reviews: an attacker who is never stopped sees most. */
const policy: Policy = {
  ...defaultPolicy,
  attributeExam: { ...defaultPolicy.attributeExam, isRequired: true, images: 4, practice: 3 },
  maskExam: { ...defaultPolicy.maskExam, isRequired: true, masks: 4, practice: 3 },
  payReview: { minFormSeconds: 0, minMaskSeconds: 0, constantAnswers: null },
};

/**
 * A project with one stage. Uploads come in blocks of one class with very different sizes, gold is spread evenly over
 * the classes and part of it is incomplete. Curators do this, and it used to reveal checks.
 */
export async function createTarget(
  db: Database,
  storage: Storage,
  kind: StageKind,
  size: TargetSize,
): Promise<Target> {
  const slug = `adversary-${kind}-${newId().slice(-6)}`;
  const { id: projectId } = await createProject(db, systemActor('adversary'), {
    name: slug,
    slug,
    preset: 'rival10',
  });
  await db.update(projects).set({ state: 'collecting', policy }).where(eq(projects.id, projectId));
  await db.insert(ruleSets).values({ projectId, number: 1, rules: [] });
  const project = await getProject(db, projectId);
  if (!project.schema || !project.schemaVersionId) throw new Error('A new project has a schema.');
  const { schema, schemaVersionId } = project;
  const stageId = await stageOf(db, projectId, kind);
  const target: Target = { projectId, stageId, kind, schema, truth: new Map() };
  const classes = schema.classes.map(({ id }) => id);
  const pools = (Object.keys(size.gold) as GoldPool[]).flatMap((pool) =>
    Array.from({ length: size.gold[pool] }, () => pool),
  );
  const plan = [
    ...Array.from({ length: size.images }, (_, n) => ({
      className: classes[classIndex(n, size.images, classes.length)] as string,
      pool: null,
    })),
    ...pools.map((pool, n) => ({ className: classes[n % classes.length] as string, pool })),
  ];
  const files: File[] = [];
  await forEachConcurrently(8, plan, async () => void files.push(await addFile(storage)));
  const rows = { images: [] as NewImage[], items: [] as NewItem[], gold: [] as NewGold[] };
  for (const [n, { className, pool }] of plan.entries()) {
    const image = imageOf(projectId, className, files[n] as File);
    rows.images.push(image);
    const targets = targetsFor(kind, schema);
    // Every third gold image has gold for some of its targets only.
    const known = pool && Math.random() < 1 / 3 ? Math.max(1, targets.length - 1) : targets.length;
    for (const [index, name] of targets.entries()) {
      const value = truthFor(kind, schema, className);
      const isGold = pool !== null && index < known;
      const itemId = newId();
      target.truth.set(itemId, value);
      const state = isGold ? ('settled' as const) : ('open' as const);
      const asked = { projectId, stageId, imageId: image.id, schemaVersionId, target: name };
      rows.items.push({ id: itemId, ...asked, state });
      if (!isGold) continue;
      const mask = maskOf(value, image.height, image.width);
      rows.gold.push({ projectId, itemId, value, mask, state: 'active', pool });
    }
  }
  for (const chunk of chunksOf(files))
    await db
      .insert(blobs)
      .values(chunk.map(({ sha256, bytes }) => ({ sha256, bytes, mediaType: 'image/jpeg' })));
  for (const chunk of chunksOf(rows.images)) await db.insert(images).values(chunk);
  for (const chunk of chunksOf(rows.items)) await db.insert(items).values(chunk);
  for (const chunk of chunksOf(rows.gold)) await db.insert(gold).values(chunk);
  return target;
}

async function stageOf(db: Database, projectId: string, kind: StageKind): Promise<string> {
  const own = await db.select().from(stages).where(eq(stages.projectId, projectId));
  const there = own.find((stage) => stage.kind === kind);
  if (there) return there.id;
  const id = newId();
  await db.insert(stages).values({ id, projectId, kind, name: kind, position: own.length });
  return id;
}

/** Class sizes fall as 1, 1/2, 1/3, … in upload order. */
function classIndex(n: number, all: number, classes: number): number {
  const total = Array.from({ length: classes }, (_, k) => 1 / (k + 1)).reduce((a, b) => a + b, 0);
  let sum = 0;
  for (let k = 0; k < classes; k++) {
    sum += 1 / (k + 1) / total;
    if (n < sum * all) return k;
  }
  return classes - 1;
}

function targetsFor(kind: StageKind, schema: DatasetSchema): string[] {
  if (kind !== 'part-mask') return [''];
  const all = localisedAttributes(schema).map(({ id }) => id);
  const count = 1 + Math.floor(Math.random() * 4);
  return [...all].sort(() => Math.random() - 0.5).slice(0, count);
}

const SIDES = [48, 64, 80, 96] as const;

type File = { sha256: string; bytes: number };
type NewImage = typeof images.$inferInsert & { id: string };
type NewItem = typeof items.$inferInsert;
type NewGold = typeof gold.$inferInsert;

const CHUNK = 500;

const chunksOf = <T>(list: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(list.length / CHUNK) }, (_, n) => list.slice(n * CHUNK, (n + 1) * CHUNK));

async function addFile(storage: Storage): Promise<File> {
  const bytes = randomBytes(500 + Math.floor(Math.random() * 1500));
  await (await storage.stage(bytes)).place();
  return { sha256: createHash('sha256').update(bytes).digest('hex'), bytes: bytes.length };
}

function imageOf(projectId: string, className: string, { sha256 }: File): NewImage {
  const side = () => SIDES[Math.floor(Math.random() * SIDES.length)] as number;
  const id = newId();
  return {
    id,
    projectId,
    name: `${id.slice(-8)}.jpg`,
    className,
    width: side(),
    height: side(),
    sourceSha256: sha256,
    blob: sha256,
    perceptualHash: 0n,
  };
}

const box = (x: number) =>
  ({
    kind: 'mask',
    shapes: [{ kind: 'polygon', op: 'add', outer: [x, 8, x + 24, 8, x + 24, 32, x, 32], holes: [] }],
  }) satisfies AnswerValue;

/** A drawing that matches no truth exactly. */
export const square = box(2);

function truthFor(kind: StageKind, schema: DatasetSchema, className: string): AnswerValue {
  if (kind === 'oracle') return { kind: 'class', className };
  if (kind !== 'attributes') return box(4 + Math.floor(Math.random() * 12));
  return {
    kind: 'attributes',
    choices: choicesFrom(
      schema,
      formOf(schema, () => Math.random() < 0.3),
    ),
  };
}

/** Attributes that the rules of the form allow together. */
const formOf = (schema: DatasetSchema, isThere: () => boolean): string[] =>
  schema.attributeGroups.flatMap(({ attributes, min, max, exclusiveNone }) => {
    const marked = attributes.filter(isThere).slice(0, max);
    return marked.length >= min || exclusiveNone ? marked : attributes.slice(0, min);
  });

/** The answer of a worker who does not look at the image. */
export function junkFor({ kind, schema }: Pick<Target, 'kind' | 'schema'>): AnswerValue {
  if (kind === 'oracle') return { kind: 'class', className: schema.classes[0]?.id ?? '' };
  if (kind === 'attributes')
    return {
      kind: 'attributes',
      choices: choicesFrom(
        schema,
        formOf(schema, () => false),
      ),
    };
  return { kind: 'nothing' };
}

const maskOf = (value: AnswerValue, height: number, width: number): string | null =>
  value.kind === 'mask' ? encodeCounts(rasterizeShapes(value.shapes, height, width)) : null;
