import { sql } from 'drizzle-orm';
import { type Database, newId, tables } from '@/db';
import type { UserActor } from '@/lib/services/access';
import { freezeVersion } from '@/lib/services/datasets/freeze/freeze-version';
import { FreezeRequest } from '@/lib/services/datasets/freeze/request';
import { NewRun, specOf } from '@/lib/services/training/runs/start-run';
import { join, person, tests } from '../services/access/people';
import {
  addGold,
  agree,
  ask,
  doBatch,
  square,
  take,
  type Workshop,
  worker,
  workshop,
} from '../services/crowd/workshop';
import { addModel, givePixels, picture } from '../services/training/loop-model';
import { patiently } from './labelled-project';

const year = () => new Date(Date.now() + 365 * 86_400_000);

/** The ids of one thing of each kind, by the name that the kind has in a path. */
export type Ids = Record<string, string>;

export interface World {
  ids: Ids;
  slug: string;
  shop: Workshop;
  /** Curator, researcher and worker of the project; the batch and the decision are hers. */
  member: UserActor;
}

/**
 * A project with one thing of each kind that has an id, so that a sweep over all routes finds something everywhere.
 * Two of them in one database are strangers to each other.
 */
export async function oneOfEach(db: Database, name = 'Cora', words = 'Why?'): Promise<World> {
  const shop = await workshop(db);
  const { projectId } = shop;
  const member = await person(db, name);
  await join(db, member, projectId, 'curator', 'researcher', 'worker');
  await agree(db, member, projectId);
  const other = await worker(db, shop, `${name}s-helper`);
  await ask(db, shop, 'object-mask', 6);
  await givePixels(db, shop, await picture());
  await doBatch(db, other, shop.stages['object-mask'], () => square);
  const [goldId = ''] = await addGold(db, shop, 'object-mask', 1, square);
  await givePixels(db, shop, await picture());
  const batch = await take(db, member, shop.stages['object-mask']);
  const ids: Ids = {
    project: projectId,
    gold: goldId,
    worker: other.userId,
    user: other.userId,
    stage: shop.stages['object-mask'],
    batch: batch.id,
    lease: batch.items[0]?.leaseId ?? '',
    ...(await existing(db, projectId)),
  };
  Object.assign(ids, await made(db, shop, member, ids, words));
  return { ids, slug: shop.slug, shop, member };
}

/** What the work above has made. */
async function existing(db: Database, projectId: string): Promise<Ids> {
  const first = async (table: string) => {
    const { rows } = await db.execute<{ id: string }>(
      sql`select id from ${sql.identifier(table)} where project_id = ${projectId} order by id limit 1`,
    );
    return rows[0]?.id ?? '';
  };
  return {
    image: await first('images'),
    label: await first('labels'),
    consentText: await first('consent_texts'),
  };
}

/** What nobody would make in a second: rows as services write them. */
async function made(
  db: Database,
  shop: Workshop,
  member: UserActor,
  known: Ids,
  words: string,
): Promise<Ids> {
  const { projectId } = shop;
  const stageId = known.stage as string;
  const one = async (rows: { id: string }[] | Promise<{ id: string }[]>) => (await rows)[0]?.id ?? '';
  const id = { id: sql<string>`id` };
  const { versionId: version } = await freezeVersion(patiently(db), tests, {
    projectId,
    request: FreezeRequest.parse({ description: words, licence: words }),
  });
  const model = await addModel(db, shop);
  const job = newId();
  await db.insert(tables.jobs).values({ id: job, kind: 'ingest', title: 'Images', projectId });
  const run = newId();
  const spec = specOf(NewRun.parse({ version: '1' }), 0, run);
  await db
    .insert(tables.runs)
    .values({ id: run, projectId, versionId: version, name: 'Run', spec, state: 'failed', jobId: job });
  const evaluation = await one(
    db
      .insert(tables.evaluations)
      .values({
        projectId,
        versionId: version,
        modelId: model,
        suite: 'accuracy',
        state: 'done',
        metrics: {},
      })
      .returning(id),
  );
  await db.insert(tables.evaluationImages).values({
    evaluationId: evaluation,
    imageId: known.image as string,
    className: 'dog',
    predicted: 'bird',
    isRight: false,
  });
  const audit = newId();
  await db
    .insert(tables.audits)
    .values({ id: audit, projectId, seed: 's', population: 1, size: 1, margin: 0.1, confidence: 0.95 });
  await db.insert(tables.auditPicks).values({ auditId: audit, position: 0, labelId: known.label as string });
  const about = { projectId, stageId, verdict: 'pause', reason: words };
  const decision = await one(
    db
      .insert(tables.decisions)
      .values({ ...about, subject: 'worker', subjectId: member.userId })
      .returning(id),
  );
  const appealed = await one(
    db
      .insert(tables.decisions)
      .values({ ...about, subject: 'worker', subjectId: known.worker as string })
      .returning(id),
  );
  const appeal = newId();
  await db
    .insert(tables.appeals)
    .values({ id: appeal, projectId, decisionId: appealed, workerId: known.worker as string, text: words });
  return {
    version,
    model,
    job,
    run,
    evaluation,
    audit,
    decision,
    appeal,
    session: await one(
      db
        .insert(tables.sessions)
        .values({ userId: member.userId, token: newId(), expiresAt: year() })
        .returning(id),
    ),
    key: await one(
      db
        .insert(tables.apiKeys)
        .values({ userId: member.userId, name: 'spare', prefix: 'tess_x', keyHash: newId(), scopes: [] })
        .returning(id),
    ),
    invitation: await one(
      db
        .insert(tables.invitations)
        .values({ projectId, roles: ['worker'], tokenHash: newId(), expiresAt: year() })
        .returning(id),
    ),
    recruitment: await one(
      db
        .insert(tables.recruitments)
        .values({ projectId, recruiter: 'prolific', externalId: newId().replaceAll('-', '').slice(0, 24) })
        .returning(id),
    ),
    upload: await one(
      db.insert(tables.uploads).values({ projectId, createdBy: member.userId }).returning(id),
    ),
    filter: await one(
      db
        .insert(tables.savedFilters)
        .values({ projectId, ownerId: member.userId, name: 'Mine', document: { state: 'excluded' } })
        .returning(id),
    ),
    mapping: await one(
      db
        .insert(tables.importMappings)
        .values({ projectId, name: 'Parts', document: { version: 1, categories: [] } })
        .returning(id),
    ),
    slice: await one(db.insert(tables.slices).values({ projectId, name: 'Odd ones' }).returning(id)),
    export: await one(
      db
        .insert(tables.exports)
        .values({ versionId: version, format: 'coco', jobId: job, createdBy: member.userId })
        .returning(id),
    ),
    consensusRun: await one(
      db
        .insert(tables.consensusRuns)
        .values({ projectId, stageId, method: 'majority', state: 'applied', finishedAt: new Date() })
        .returning(id),
    ),
    payout: await one(db.insert(tables.payouts).values({ projectId }).returning(id)),
  };
}
