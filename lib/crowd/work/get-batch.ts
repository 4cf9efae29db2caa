import { and, asc, eq, inArray, isNotNull, ne } from 'drizzle-orm';
import { type Db, tables } from '@/db';
import { requireScope, type UserActor } from '@/lib/auth';
import { notFound } from '@/lib/errors';
import type { AnswerValue } from '@/lib/quality/answer';
import { signBlobUrl } from '@/lib/storage';
import { membershipOf } from './own-work';
import { targetOf } from './target-of';

const {
  answers,
  batches,
  derivatives,
  drafts,
  images,
  items,
  labels,
  leases,
  memberships,
  projects,
  schemaVersions,
  stages,
} = tables;

/**
 * All that the annotator page needs for a batch, in four statements. Items appear only as leases, each with
 * the same fields, so that a hidden check looks like any other item.
 */
export async function getBatch(db: Db, actor: UserActor, input: { batchId: string }) {
  const batch = await findOwnBatch(db, actor, input.batchId);
  const rows = await leasesOf(db, input.batchId);
  const schemas = await schemasOf(db, [...new Set(rows.map((row) => row.schemaVersionId))]);
  const neighbours = await neighboursOf(db, batch.stageId, [...new Set(rows.map((row) => row.imageId))]);
  const kind = batch.stage.kind;
  return {
    ...batch,
    schemas,
    items: rows.map(({ imageId, target, image, working, draft, answer, ...row }) => {
      const schema = schemas.find(({ id }) => id === row.schemaVersionId)?.document;
      const { blob, className, ...size } = image;
      // The class is the question of an oracle.
      const shownClass = kind === 'oracle' ? null : className;
      const file = working ?? { blob, ...size };
      return {
        ...row,
        className: shownClass,
        image: {
          ...size,
          working: { url: signBlobUrl(file.blob), width: file.width, height: file.height },
        },
        target: schema ? targetOf(schema, kind, className, target) : null,
        neighbours: neighbours
          .filter((label) => label.imageId === imageId && label.target !== target)
          .map((label) => ({ target: label.target, counts: label.mask as string })),
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
      state: batches.state,
      leasedUntil: batches.leasedUntil,
      stageId: batches.stageId,
      project: { name: projects.name, slug: projects.slug },
      stage: { kind: stages.kind, name: stages.name },
    })
    .from(batches)
    .innerJoin(projects, eq(projects.id, batches.projectId))
    .innerJoin(stages, eq(stages.id, batches.stageId))
    .innerJoin(memberships, membershipOf(batches.projectId, batches.workerId))
    .where(and(eq(batches.id, batchId), eq(batches.workerId, actor.userId)));
  if (!batch) throw notFound('batch');
  return batch;
}

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
        blob: images.blob,
        className: images.className,
      },
      working: { blob: derivatives.blob, width: derivatives.width, height: derivatives.height },
      draft: { revision: drafts.revision, document: drafts.document },
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

/** The versions that the items are pinned to: a change of schema does not reach work that is under way. */
const schemasOf = (db: Db, ids: string[]) =>
  db
    .select({ id: schemaVersions.id, document: schemaVersions.document })
    .from(schemaVersions)
    .where(inArray(schemaVersions.id, ids));

/** What else is drawn on the images by now in a part stage: the borders that a part may share. */
const neighboursOf = (db: Db, stageId: string, imageIds: string[]) =>
  db
    .select({ imageId: labels.imageId, target: labels.target, mask: labels.mask })
    .from(labels)
    .innerJoin(items, eq(items.id, labels.itemId))
    .innerJoin(stages, eq(stages.id, items.stageId))
    .where(
      and(
        inArray(labels.imageId, imageIds),
        eq(items.stageId, stageId),
        eq(stages.kind, 'part-mask'),
        eq(labels.isCurrent, true),
        isNotNull(labels.mask),
        ne(labels.target, ''),
      ),
    )
    .orderBy(asc(labels.target));
