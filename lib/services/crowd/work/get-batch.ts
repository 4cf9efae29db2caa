import { and, asc, eq, inArray, sql } from 'drizzle-orm';
import { type Db, tables } from '@/db';
import { notFound } from '@/lib/core/errors';
import type { AnswerValue } from '@/lib/core/quality/answer';
import { readTarget } from '@/lib/core/schema';
import { countShown, textKeys, translateSchema } from '@/lib/core/translations';
import { requireScope, type UserActor } from '@/lib/services/access';
import { textForPrograms } from '../signals/text-for-programs';
import { projectTexts } from '../translations/read';
import { effectivePolicy } from './effective-policy';
import { leaseImageUrl } from './lease-image';
import { membershipOf } from './own-work';
import { isDone } from './save-draft';
import { targetOf } from './target-of';

const {
  answers,
  batches,
  derivatives,
  drafts,
  gold,
  images,
  items,
  labels,
  leases,
  memberships,
  models,
  projects,
  schemaVersions,
  stages,
  standings,
  suggestions,
} = tables;

/**
 * All that the annotator page needs for a batch, in a fixed number of statements. Items appear only as leases, each with
 * the same fields, so that a hidden check looks like any other item. Names and definitions are in the given language
 * where they are translated.
 */
export async function getBatch(db: Db, actor: UserActor, input: { batchId: string; language?: string }) {
  const { policies, versionThen, projectId, ...batch } = await findOwnBatch(db, actor, input.batchId);
  const found = await leasesOf(db, input.batchId);
  // Gold moves on to newer versions of the schema, what is settled does not: read afterwards, the versions would
  // tell which items were checks.
  const rows = batch.state === 'leased' ? found : found.map((row) => ({ ...row, ...versionThen }));
  const imageIds = [...new Set(rows.map((row) => row.imageId))];
  const originals = await schemasOf(db, [...new Set(rows.map((row) => row.schemaVersionId))]);
  const texts = await projectTexts(db, projectId, input.language ?? null);
  for (const { document } of originals) countShown(document, batch.stage.kind, texts);
  const schemas = originals.map(({ id, document }) => ({ id, document: translateSchema(document, texts) }));
  const where = { stageId: batch.stageId, workerId: actor.userId };
  const neighbours = await neighboursOf(db, where, imageIds);
  const objects =
    batch.stage.kind === 'part-mask' ? await objectsOn(db, imageIds) : new Map<string, string>();
  const leased = new Set(rows.map((row) => `${row.imageId} ${row.target}`));
  const isLeased = (label: { imageId: string; target: string }) =>
    leased.has(`${label.imageId} ${label.target}`);
  const { kind } = batch.stage;
  const { subtractOtherParts, minScreenWidth, suggestions } = effectivePolicy(
    policies.project,
    policies.stage,
  );
  return {
    ...batch,
    project: { ...batch.project, name: texts.quiet(textKeys.projectName, batch.project.name) },
    stage: { ...batch.stage, name: texts.quiet(textKeys.stageName(batch.stageId), batch.stage.name) },
    texts: { original: texts.original, coverage: texts.coverage },
    subtractOtherParts,
    minScreenWidth,
    schemas,
    items: rows.map(({ imageId, target, image, working, draft, answer, hasOutline, ...row }) => {
      const schema = schemas.find(({ id }) => id === row.schemaVersionId)?.document;
      const { className, ...size } = image;
      // The class is the question of an oracle.
      const shownClass = kind === 'oracle' ? null : className;
      const file = working ?? size;
      return {
        ...row,
        // Workers do not see when a late answer is settled.
        state: row.state === 'late' ? ('answered' as const) : row.state,
        className: shownClass,
        image: {
          ...size,
          number: imageIds.indexOf(imageId) + 1,
          working: { url: leaseImageUrl(row.leaseId), width: file.width, height: file.height },
        },
        target: schema ? targetOf(schema, kind, className, target) : null,
        neighbours: neighbours
          .filter((label) => label.imageId === imageId && label.target !== target && !isLeased(label))
          .map((label) => ({ target: label.target, counts: label.mask })),
        object: objects.get(`${imageId} ${readTarget(target).instance}`) ?? null,
        hasOutline: suggestions.isOn && hasOutline,
        forPrograms: textForPrograms(row.leaseId),
        draft,
        answer: (answer?.value ?? null) as AnswerValue | null,
      };
    }),
  };
}

async function findOwnBatch(db: Db, actor: UserActor, batchId: string) {
  requireScope(actor, 'work.read');
  const [batch] = await db
    .select({
      id: batches.id,
      kind: batches.kind,
      state: batches.state,
      leasedUntil: batches.leasedUntil,
      stageId: batches.stageId,
      projectId: batches.projectId,
      project: { name: projects.name, slug: projects.slug },
      stage: { kind: stages.kind, name: stages.name },
      policies: { project: projects.policy, stage: stages.policy },
      versionThen: { schemaVersionId: newestVersionThen },
    })
    .from(batches)
    .innerJoin(projects, eq(projects.id, batches.projectId))
    .innerJoin(stages, eq(stages.id, batches.stageId))
    .innerJoin(memberships, membershipOf(batches.projectId, batches.workerId))
    .where(and(eq(batches.id, batchId), eq(batches.workerId, actor.userId)));
  if (!batch) throw notFound('batch');
  return batch;
}

/** The version that held when the batch began. */
const newestVersionThen = sql<string>`coalesce((
  select v.id from ${schemaVersions} v
  where v.project_id = ${batches.projectId} and v.created_at <= ${batches.createdAt}
  order by v.number desc limit 1), ${projects.schemaVersionId})`;

/** Withheld, and nothing to suggest, are the same to the worker. */
const isOutlineShown = sql<boolean>`exists (
  select 1 from ${suggestions} s join ${models} m on m.id = s.model_id and m.state = 'promoted'
  where s.lease_id = ${leases.id} and s.state = 'shown')`;

const leasesOf = (db: Db, batchId: string) =>
  db
    .select({
      leaseId: leases.id,
      position: leases.position,
      state: leases.state,
      schemaVersionId: items.schemaVersionId,
      target: items.target,
      imageId: items.imageId,
      image: {
        width: images.width,
        height: images.height,
        className: images.className,
      },
      working: { width: derivatives.width, height: derivatives.height },
      hasOutline: isOutlineShown,
      draft: {
        revision: drafts.revision,
        document: drafts.document,
        done: isDone,
        activeMs: drafts.activeMs,
      },
      answer: { value: answers.value },
    })
    .from(leases)
    .innerJoin(items, eq(items.id, leases.itemId))
    .innerJoin(images, eq(images.id, items.imageId))
    .leftJoin(derivatives, and(eq(derivatives.imageId, images.id), eq(derivatives.kind, 'working')))
    .leftJoin(drafts, eq(drafts.leaseId, leases.id))
    .leftJoin(answers, eq(answers.leaseId, leases.id))
    .where(eq(leases.batchId, batchId))
    .orderBy(asc(leases.position));

/** The versions that the items are pinned to. */
const schemasOf = (db: Db, ids: string[]) =>
  db
    .select({ id: schemaVersions.id, document: schemaVersions.document })
    .from(schemaVersions)
    .where(inArray(schemaVersions.id, ids));

/**
 * The other parts that are drawn on the images of a part stage: borders that a part may share. A gold image shows its
 * gold in the same way. A target that the worker was asked about earlier shows the worker's own answer, never a label
 * or gold: the difference between the two would tell a gold image from an ordinary one when the rest of it comes back.
 */
async function neighboursOf(
  db: Db,
  { stageId, workerId }: { stageId: string; workerId: string },
  imageIds: string[],
) {
  const found = await db.execute<{ imageId: string; target: string; mask: string }>(sql`
    select distinct on (i.image_id, i.target) i.image_id as "imageId", i.target, drawn.mask
    from ${items} i
    join ${stages} s on s.id = i.stage_id and s.kind = 'part-mask'
    left join ${leases} had on had.item_id = i.id and had.worker_id = ${workerId}
    left join ${answers} own on own.lease_id = had.id
    left join ${labels} l on l.item_id = i.id and l.is_current
    left join ${gold} g on g.item_id = i.id and g.state in ('active', 'retired') and l.id is null
    cross join lateral (
      select case when had.id is null then coalesce(l.mask, g.mask) else own.mask end as mask) drawn
    where i.stage_id = ${stageId} and i.image_id = any (${sql.param(imageIds)}::uuid[]) and i.target <> ''
      and drawn.mask is not null
      -- Parts that the worker does not receive: gold always has them, ordinary images only once they are labelled.
      and not exists (select 1 from ${standings} st where st.stage_id = i.stage_id
        and st.worker_id = ${workerId} and i.target = any (st.paused_targets))
    order by i.image_id, i.target`);
  return found.rows;
}

/**
 * The outlines of the objects on images that show several, by image and number of the object: the name of a part does
 * not say which of them it is asked of.
 */
async function objectsOn(db: Db, imageIds: string[]): Promise<Map<string, string>> {
  const found = await db.execute<{
    imageId: string;
    target: string;
    mask: string;
    instances: string[] | null;
    numbers: number[] | null;
  }>(sql`
    select i.image_id as "imageId", i.target, l.mask, l.value->'instances' as instances,
      l.provenance->'objects' as numbers
    from ${items} i
    join ${stages} s on s.id = i.stage_id and s.kind = 'object-mask'
    join ${labels} l on l.item_id = i.id and l.is_current and l.mask is not null
    where i.image_id = any (${sql.param(imageIds)}::uuid[])
      and exists (select 1 from ${items} other where other.image_id = i.image_id
        and other.target ~ '^[^#]+#[0-9]+:')
    order by i.image_id, i.target`);
  return new Map(
    found.rows.flatMap(({ imageId, target, mask, instances, numbers }) =>
      (instances ?? [mask]).map((counts, i): [string, string] => {
        const number = instances ? (numbers?.[i] ?? i + 1) : readTarget(target).instance;
        return [`${imageId} ${number}`, counts];
      }),
    ),
  );
}
