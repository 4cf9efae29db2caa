import { notFound } from 'next/navigation';
import { csvResponse } from '@/app/_ui/table/csv-response';
import { database } from '@/db';
import { looksLikeId } from '@/lib/services/access';
import { pageProject } from '@/lib/services/access/page';
import { shownAddress } from '@/lib/services/accounts';
import { payoutLinesOf } from '@/lib/services/crowd/overview/list-payouts';
import { exportPayees } from '@/lib/services/crowd/pay';
import { exactAmount } from '../money-in';
import { payeeCells, payeeHead } from '../payee-words';

type Context = { params: Promise<{ project: string; payout: string }> };

const head = [
  'worker_id',
  'name',
  'address',
  'recruiter',
  'external_worker',
  'amount',
  'currency',
  ...payeeHead,
];

/** A payout list as CSV, with the payee details of workers of the project's own pool. */
export async function GET(_request: Request, { params }: Context): Promise<Response> {
  const { project: slug, payout } = await params;
  const { project, actor } = await pageProject(slug, 'crowd.read');
  if (!looksLikeId(payout)) notFound();
  const found = await payoutLinesOf(database(), { projectId: project.id, payoutId: payout });
  if (found.length === 0) notFound();
  const payees = await exportPayees(database(), actor, {
    projectId: project.id,
    payoutId: payout,
    workerIds: found.map(({ workerId }) => workerId),
  });
  async function* lines() {
    for (const { workerId, name, email, recruiter, externalWorker, amountMicro, currency } of found) {
      const amount = exactAmount(amountMicro);
      yield [
        workerId,
        name,
        shownAddress(email),
        recruiter,
        externalWorker,
        amount,
        currency,
        ...payeeCells(payees.get(workerId)),
      ];
    }
  }
  return csvResponse(`${project.slug}-payout-${payout.slice(-6)}`, head, lines());
}
