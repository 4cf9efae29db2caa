import { and, eq, inArray } from 'drizzle-orm';
import { type Db, tables } from '@/db';
import { conflict, notFound } from '@/lib/errors';
import type { BonusLine } from './recruiter';
import { recruiterOf } from './registry';

const { arrivals, recruitments } = tables;

/**
 * Sends bonuses through the marketplace of a study and returns its reference; null where a list has to be paid by
 * hand. Whoever calls writes the ledger; this only moves money.
 */
export async function payThroughRecruiter(
  db: Db,
  which: { recruitmentId: string; projectId: string },
  lines: readonly { workerId: string; amountMicro: bigint }[],
): Promise<string | null> {
  const [recruitment] = await db
    .select()
    .from(recruitments)
    .where(and(eq(recruitments.id, which.recruitmentId), eq(recruitments.projectId, which.projectId)));
  if (!recruitment) throw notFound('recruitment');
  const known = await db
    .selectDistinct({ workerId: arrivals.workerId, externalWorker: arrivals.externalWorker })
    .from(arrivals)
    .where(
      and(
        eq(arrivals.recruitmentId, recruitment.id),
        inArray(
          arrivals.workerId,
          lines.map(({ workerId }) => workerId),
        ),
      ),
    );
  const externalOf = new Map(known.map(({ workerId, externalWorker }) => [workerId, externalWorker]));
  const rows = lines.map(({ workerId, amountMicro }): BonusLine => {
    const externalWorker = externalOf.get(workerId);
    if (!externalWorker) throw conflict('Somebody on the list did not come by this study.', { workerId });
    return { externalWorker, amountMicro };
  });
  return recruiterOf(recruitment.recruiter).payBonus(recruitment, rows);
}
