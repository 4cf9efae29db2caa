import { notFound } from 'next/navigation';
import { csvResponse } from '@/app/_ui/table/csv-response';
import { database } from '@/db';
import { looksLikeId } from '@/lib/services/access';
import { pageProject } from '@/lib/services/access/page';
import { shownAddress } from '@/lib/services/accounts';
import { payoutLinesOf } from '@/lib/services/crowd/overview/list-payouts';
import { exactAmount } from '../money-in';

type Context = { params: Promise<{ project: string; payout: string }> };

const head = ['worker_id', 'name', 'address', 'recruiter', 'external_worker', 'amount', 'currency'];

/** A payout list, to be paid where the people are paid. */
export async function GET(_request: Request, { params }: Context): Promise<Response> {
  const { project: slug, payout } = await params;
  const { project } = await pageProject(slug, 'crowd.read');
  if (!looksLikeId(payout)) notFound();
  const found = await payoutLinesOf(database(), { projectId: project.id, payoutId: payout });
  if (found.length === 0) notFound();
  async function* lines() {
    for (const { workerId, name, email, recruiter, externalWorker, amountMicro, currency } of found) {
      const amount = exactAmount(amountMicro);
      yield [workerId, name, shownAddress(email), recruiter, externalWorker, amount, currency];
    }
  }
  return csvResponse(`${project.slug}-payout-${payout.slice(-6)}`, head, lines());
}
