import { eq } from 'drizzle-orm';
import { connect, type Database, newId, tables } from '@/db';
import { readSecrets } from '@/lib/config/secrets';
import { systemActor } from '@/lib/core/actor';
import { defaultPolicy, type Policy } from '@/lib/core/quality/policy';
import { type DatasetSchema, partsOfClass } from '@/lib/core/schema';
import { demoPeople } from '@/lib/demo/people';
import { makePictures } from '@/lib/demo/pictures';
import type { Scene } from '@/lib/demo/scenes';
import { newestText } from '@/lib/services/crowd/consent/texts';
import { createProject, getProject } from '@/lib/services/projects';
import { storage } from '@/lib/services/storage';
import { databaseUrl, home, query } from './database';
import type { Who } from './people';

export interface PartsProject {
  slug: string;
  stageId: string;
  /** By the id of the image. */
  scenes: ReadonlyMap<string, Scene>;
}

interface PartsOptions {
  /** Of the images. */
  className?: string;
  /** Changes the preset. */
  schema?: (preset: DatasetSchema) => DatasetSchema;
}

/** A project whose every image asks for the parts of a class (the five of an aeroplane), and a worker who can begin. */
export async function partsProject(
  who: Who,
  pictures: number,
  policy: Partial<Policy> = {},
  options: PartsOptions = {},
): Promise<PartsProject> {
  process.env.TESSERA_HOME = home;
  process.env.TESSERA_SECRET = readSecrets(home)?.secret;
  const db = connect(databaseUrl() ?? '');
  try {
    return await make(db, who, pictures, policy, options);
  } finally {
    await db.$client.end();
  }
}

async function make(
  db: Database,
  who: Who,
  pictures: number,
  policy: Partial<Policy>,
  { className = 'Aeroplane', schema: change }: PartsOptions,
): Promise<PartsProject> {
  const slug = `parts-${newId().slice(-8)}`;
  const { id: projectId } = await createProject(db, systemActor('Stories'), {
    slug,
    name: `Parts ${slug}`,
    description: 'Aeroplanes with five parts each.',
    preset: 'part-imagenet',
    policy: {
      ...defaultPolicy,
      batchSize: { attributes: 10, masks: 5 * pictures },
      checkRate: 0,
      maskExam: { ...defaultPolicy.maskExam, isRequired: false, practice: 0 },
      ...policy,
    },
    isDemo: true,
  });
  const project = await getProject(db, projectId);
  const { stages } = project;
  const schema = project.schema && (change?.(project.schema) ?? project.schema);
  const schemaVersionId =
    schema && change ? await addVersion(db, projectId, schema) : project.schemaVersionId;
  const stageId = stages.find(({ kind }) => kind === 'part-mask')?.id;
  if (!schema || !schemaVersionId || !stageId) throw new Error('A new project has a schema and its stages.');
  const scenes = new Map<string, Scene>();
  const series = {
    projectId,
    preset: 'part-imagenet' as const,
    classNames: [className],
    first: 1,
    count: pictures,
  };
  for await (const { id, scene } of makePictures(db, storage(), series)) {
    scenes.set(id, scene);
    for (const { id: target } of partsOfClass(schema, className))
      await db
        .insert(tables.items)
        .values({ id: newId(), projectId, stageId, imageId: id, schemaVersionId, target, state: 'open' });
  }
  await join(db, projectId, who);
  await db.update(tables.projects).set({ state: 'collecting' }).where(eq(tables.projects.id, projectId));
  return { slug, stageId, scenes };
}

async function addVersion(db: Database, projectId: string, document: DatasetSchema): Promise<string> {
  const id = newId();
  await db.insert(tables.schemaVersions).values({ id, projectId, number: 2, document });
  await db.update(tables.projects).set({ schemaVersionId: id }).where(eq(tables.projects.id, projectId));
  return id;
}

async function join(db: Database, projectId: string, who: Who): Promise<void> {
  const [user] = await db
    .select({ id: tables.users.id })
    .from(tables.users)
    .where(eq(tables.users.email, demoPeople[who].email));
  if (!user) throw new Error(`The demo has no ${who}.`);
  await db.insert(tables.memberships).values({ projectId, userId: user.id, role: 'worker' });
  const { id: consentTextId } = await newestText(db, projectId);
  await db.insert(tables.consents).values({ projectId, workerId: user.id, consentTextId, kind: 'agreed' });
}

/** The image and the part that a lease is about. */
export async function subjectOf(leaseId: string): Promise<{ imageId: string; target: string }> {
  const [row] = await query<{ imageId: string; target: string }>(
    'select i.image_id as "imageId", i.target from leases l join items i on i.id = l.item_id where l.id = $1',
    [leaseId],
  );
  if (!row) throw new Error('The lease has an item.');
  return row;
}
