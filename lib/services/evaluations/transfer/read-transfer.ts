import { and, desc, eq, inArray, type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import { type Db, tables } from '@/db';
import { type TransferCell, type TransferRow, transferMatrix } from '@/lib/core/robustness/metrics/fmr';
import type { Job } from '@/lib/services/jobs';
import { signBlobUrl } from '@/lib/services/storage';
import { TRANSFER_JOB } from './start-transfer';

const { evaluationImages, evaluationTransfers, images, jobs } = tables;

/** Loads the transfer matrix of the evaluations. One statement. */
export async function readTransfer(
  db: Db,
  evaluationIds: readonly string[],
): Promise<(TransferCell | null)[][]> {
  if (evaluationIds.length < 2) return transferMatrix([], evaluationIds);
  const ids = [...evaluationIds];
  const rows: TransferRow[] = await db
    .select({
      from: evaluationTransfers.fromId,
      to: evaluationTransfers.toId,
      truth: evaluationImages.className,
      clean: evaluationImages.predicted,
      isValidated: evaluationTransfers.isValidated,
      perturbed: evaluationTransfers.predicted,
    })
    .from(evaluationTransfers)
    .innerJoin(evaluationImages, isExaminedImage)
    .where(and(inArray(evaluationTransfers.fromId, ids), inArray(evaluationTransfers.toId, ids)));
  return transferMatrix(rows, evaluationIds);
}

/** Joins the image row of the evaluated model. */
const isExaminedImage = and(
  eq(evaluationImages.evaluationId, evaluationTransfers.toId),
  eq(evaluationImages.imageId, evaluationTransfers.imageId),
);

export const TransferQuery = z.object({
  /** Correctness of the evaluated model on the perturbed picture. */
  right: z.enum(['yes', 'no', 'all']).catch('all'),
  offset: z.coerce.number().int().min(0).max(1_000_000).catch(0),
  limit: z.coerce.number().int().min(1).max(200).catch(48),
});
export type TransferQuery = z.infer<typeof TransferQuery>;

export interface TransferPicture {
  imageId: string;
  name: string;
  className: string;
  /** Predictions on the clean and the perturbed picture. */
  clean: string;
  predicted: string;
  pTrue: number;
  url: string;
}

/** Lists the validated pictures of one cell, lowest true-class probability first. */
export async function listTransferPictures(
  db: Db,
  { from, to, right, offset, limit }: { from: string; to: string } & TransferQuery,
): Promise<{ total: number; items: TransferPicture[] }> {
  const isRight = sql`${evaluationTransfers.predicted} = ${evaluationImages.className}`;
  const wanted: Record<TransferQuery['right'], SQL | undefined> = {
    yes: isRight,
    no: sql`not ${isRight}`,
    all: undefined,
  };
  const rows = await db
    .select({
      total: sql<number>`count(*) over ()::int`,
      imageId: evaluationTransfers.imageId,
      name: images.name,
      className: evaluationImages.className,
      clean: evaluationImages.predicted,
      predicted: evaluationTransfers.predicted,
      pTrue: evaluationTransfers.pTrue,
      blob: evaluationTransfers.blob,
    })
    .from(evaluationTransfers)
    .innerJoin(evaluationImages, isExaminedImage)
    .innerJoin(images, eq(images.id, evaluationTransfers.imageId))
    .where(
      and(
        eq(evaluationTransfers.fromId, from),
        eq(evaluationTransfers.toId, to),
        eq(evaluationTransfers.isValidated, true),
        wanted[right],
      ),
    )
    .orderBy(evaluationTransfers.pTrue, evaluationTransfers.imageId)
    .offset(offset)
    .limit(limit);
  return {
    total: rows[0]?.total ?? 0,
    items: rows.map(({ total, blob, ...row }) => ({ ...row, url: signBlobUrl(blob ?? '') })),
  };
}

/** The newest transfer job of a project. */
export async function getLastTransfer(db: Db, projectId: string): Promise<Job | undefined> {
  const [job] = await db
    .select()
    .from(jobs)
    .where(and(eq(jobs.projectId, projectId), eq(jobs.kind, TRANSFER_JOB)))
    .orderBy(desc(jobs.id))
    .limit(1);
  return job;
}
