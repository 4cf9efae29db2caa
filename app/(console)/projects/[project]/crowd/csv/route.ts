import type { NextRequest } from 'next/server';
import { readTableState } from '@/app/_ui/table';
import { csvResponse } from '@/app/_ui/table/csv-response';
import { database } from '@/db';
import { pageProject } from '@/lib/services/access/page';
import {
  estimatesOf,
  listWorkers,
  type WorkerRow,
  workerOrders,
} from '@/lib/services/crowd/overview/list-workers';
import { orderOf, readWorkerFilter } from '../read-worker-filter';

const PAGE = 500;

const head = [
  'id',
  'name',
  'cohort',
  'state',
  'open_appeals',
  'items',
  'active_seconds',
  'checks',
  'checks_passed',
  'precision',
  'precision_low',
  'precision_high',
  'recall',
  'recall_low',
  'recall_high',
  'mask_score',
  'mask_score_low',
  'mask_score_high',
  'masks_checked',
  'mean_iou',
  'earned_micro',
  'currency',
  'joined',
  'last_seen',
];

const ends = (estimate: { value: number; low: number; high: number } | null) =>
  estimate ? [estimate.value, estimate.low, estimate.high] : [null, null, null];

function cells(row: WorkerRow) {
  const { precision, recall, maskScore } = estimatesOf(row);
  return [
    row.id,
    row.name,
    row.cohort,
    row.state,
    row.openAppeals,
    row.items,
    row.activeMs / 1000,
    row.checks,
    row.passed,
    ...ends(precision),
    ...ends(recall),
    ...ends(maskScore),
    row.maskScores.length,
    row.meanIou,
    String(row.earnedMicro),
    row.currency,
    row.joinedAt,
    row.lastSeen,
  ];
}

type Context = { params: Promise<{ project: string }> };

/** The workers that match the filter of the table, in its order. */
export async function GET(request: NextRequest, { params }: Context): Promise<Response> {
  const { project } = await pageProject((await params).project, 'crowd.read');
  const query = Object.fromEntries(request.nextUrl.searchParams);
  const sortable = workerOrders.map((key) => ({ key, sortable: true }));
  const wanted = { ...readWorkerFilter(query), sort: orderOf(readTableState(query, sortable)) };
  async function* everyone() {
    let after: string | undefined;
    do {
      const { rows } = await listWorkers(database(), project.id, { ...wanted, limit: PAGE, after });
      for (const row of rows) yield cells(row);
      after = rows.length === PAGE ? rows.at(-1)?.id : undefined;
    } while (after);
  }
  return csvResponse(`${project.slug}-workers`, head, everyone());
}
