import { csvResponse } from '@/app/_ui/table/csv-response';
import { database } from '@/db';
import { requireRight } from '@/lib/services/access/page';
import { statement } from '@/lib/services/crowd/worker';

const pageSize = 500;

async function* linesOf(workerId: string) {
  let before: string | undefined;
  for (;;) {
    const lines = await statement(database(), workerId, { limit: pageSize, before });
    for (const { id, at, project, kind, amountMicro, currency, note } of lines) {
      yield [id, at, project, kind, inUnits(amountMicro), currency, note];
    }
    if (lines.length < pageSize) return;
    before = lines.at(-1)?.id;
  }
}

/** Millionths as a decimal number, without a loss. */
function inUnits(micro: bigint): string {
  const digits = String(micro < 0n ? -micro : micro).padStart(7, '0');
  return `${micro < 0n ? '-' : ''}${digits.slice(0, -6)}.${digits.slice(-6)}`;
}

export async function GET(): Promise<Response> {
  const { userId } = await requireRight('account.manage');
  const head = ['id', 'at', 'project', 'kind', 'amount', 'currency', 'note'];
  return csvResponse('earnings', head, linesOf(userId));
}
