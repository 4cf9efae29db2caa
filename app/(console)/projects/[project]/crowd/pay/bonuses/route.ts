import { csvResponse } from '@/app/_ui/table/csv-response';
import { database } from '@/db';
import { pageProject } from '@/lib/services/access/page';
import { workerNames } from '@/lib/services/crowd/overview/list-workers';
import { fairPayOf } from '@/lib/services/crowd/pay';
import { exactAmount } from '../money-in';

type Context = { params: Promise<{ project: string }> };

/** The bonuses that raise every worker to the promised rate, as CSV. */
export async function GET(_request: Request, { params }: Context): Promise<Response> {
  const { project, actor } = await pageProject((await params).project, 'crowd.read');
  const [all] = await fairPayOf(database(), actor, project.id);
  const topUps = all?.pay.topUps ?? [];
  const names = await workerNames(
    database(),
    topUps.map((topUp) => topUp.workerId),
  );
  async function* lines() {
    for (const { workerId, hourlyMicro, amountMicro } of topUps) {
      const earned = exactAmount(BigInt(hourlyMicro));
      yield [workerId, names.get(workerId) ?? null, earned, exactAmount(amountMicro), all?.currency ?? null];
    }
  }
  return csvResponse(
    `${project.slug}-bonuses`,
    ['worker_id', 'name', 'earned_per_hour', 'bonus', 'currency'],
    lines(),
  );
}
