import { sql } from 'drizzle-orm';
import type { Metadata } from 'next';
import Link from 'next/link';
import { EmptyState } from '@/app/_ui/empty-state';
import { Panel } from '@/app/_ui/panel';
import { Stat, StatStrip } from '@/app/_ui/stat';
import { State } from '@/app/_ui/state';
import { CsvLink, SmallTable } from '@/app/_ui/table';
import { database } from '@/db';
import { formatDateTime, formatMoney, formatNumber } from '@/lib/core/format';
import { pageProject } from '@/lib/services/access/page';
import { listPayouts, type Payout } from '@/lib/services/crowd/overview/list-payouts';
import { workerNames } from '@/lib/services/crowd/overview/list-workers';
import {
  type Balance,
  balances,
  fairPayOf,
  listPayees,
  listPayReviews,
  type StagePay,
} from '@/lib/services/crowd/pay';
import { paysBonuses, recruiterOf } from '@/lib/services/crowd/recruit/registry';
import { CrowdPage } from '../crowd-page';
import { bonusIdOf } from './bonus-id';
import { ApprovePayout, PayBonuses, SettlePayout } from './buttons';
import { FairPayTable } from './fair-pay-table';
import { moneyIn } from './money-in';
import { PayReviews } from './pay-reviews';
import { Payees } from './payees';

export const metadata: Metadata = { title: 'Pay' };

type Props = PageProps<'/projects/[project]/crowd/pay'>;

export default async function Pay({ params }: Props) {
  const { project, actor } = await pageProject((await params).project, 'crowd.read');
  const db = database();
  const [fair, owed, payouts, reviews, payees] = await Promise.all([
    fairPayOf(db, actor, project.id),
    balances(db, sql`e.project_id = ${project.id}`),
    listPayouts(db, project.id),
    listPayReviews(db, project.id),
    listPayees(db, actor, project.id),
  ]);
  const topUps = fair[0]?.pay.topUps ?? [];
  const names = await workerNames(
    db,
    topUps.map((topUp) => topUp.workerId),
  );
  const readOnly = project.state === 'archived';
  return (
    <CrowdPage
      slug={project.slug}
      at="/pay"
      title="Pay"
      description="Hourly pay compared with the rate that the policy promises, and the amounts due. Small numbers are 95 % intervals of the median."
    >
      <PayReviews slug={project.slug} reviews={reviews} readOnly={readOnly} />
      <Panel
        title="Fair pay"
        description="Active time is spent on items. Elapsed time runs from taking a batch to its last answer."
        flush
      >
        <FairPayTable rows={fair} />
      </Panel>
      {fair[0] && (
        <Bonuses
          projectId={project.id}
          slug={project.slug}
          fair={fair[0]}
          names={names}
          readOnly={readOnly}
        />
      )}
      <Payees slug={project.slug} list={payees} />
      <Owed slug={project.slug} owed={owed} readOnly={readOnly} />
      <Payouts slug={project.slug} payouts={payouts} readOnly={readOnly} />
    </CrowdPage>
  );
}

interface BonusesProps {
  projectId: string;
  slug: string;
  fair: StagePay;
  names: Map<string, string>;
  readOnly: boolean;
}

function Bonuses({ projectId, slug, fair: { currency, targetMicro, pay }, names, readOnly }: BonusesProps) {
  const target = formatMoney(BigInt(targetMicro), currency);
  const lines = pay.topUps.map(({ workerId, amountMicro }) => ({
    workerId,
    amountMicro: String(amountMicro),
  }));
  return (
    <Panel
      title="Bonus list"
      description={`Bonuses that raise every worker to ${target} per active hour.`}
      actions={
        pay.topUps.length > 0 && (
          <>
            <CsvLink href={`/projects/${slug}/crowd/pay/bonuses`} variant="secondary" />
            {!readOnly && (
              <PayBonuses
                slug={slug}
                total={formatMoney(pay.topUpMicro, currency)}
                list={{
                  bonusId: bonusIdOf(projectId, lines),
                  currency,
                  note: `Top-up to ${target} per hour`,
                  lines,
                }}
              />
            )}
          </>
        )
      }
      flush
    >
      <SmallTable
        caption="Bonus list"
        rows={pay.topUps}
        rowKey={(row) => row.workerId}
        empty={
          <EmptyState title="No worker is below the promised pay">
            All workers earn at least the hourly pay that the policy promises.
          </EmptyState>
        }
        columns={[
          {
            key: 'worker',
            title: 'Worker',
            cell: (row) => (
              <Link
                href={`/projects/${slug}/crowd/${row.workerId}`}
                className="font-medium underline-offset-2 hover:underline"
              >
                {names.get(row.workerId) ?? 'deleted account'}
              </Link>
            ),
          },
          {
            key: 'hourly',
            title: 'Earned per hour',
            numeric: true,
            cell: (row) => formatMoney(BigInt(row.hourlyMicro), currency),
          },
          {
            key: 'bonus',
            title: 'Bonus',
            numeric: true,
            cell: (row) => formatMoney(row.amountMicro, currency),
          },
        ]}
      />
    </Panel>
  );
}

function Owed({ slug, owed, readOnly }: { slug: string; owed: Balance[]; readOnly: boolean }) {
  const total = (part: 'earned' | 'pending' | 'approved' | 'paid') => moneyIn(owed, (each) => each[part]);
  const isPending = owed.some((each) => each.pending > 0n);
  return (
    <Panel
      title="Amounts due"
      actions={isPending && !readOnly && <ApprovePayout slug={slug} total={total('pending')} />}
    >
      <StatStrip>
        <Stat label="Earned in total" value={total('earned')} />
        <Stat label="Pending" value={total('pending')} />
        <Stat label="Approved, not paid yet" value={total('approved')} />
        <Stat label="Paid" value={total('paid')} />
      </StatStrip>
    </Panel>
  );
}

function Payouts({ slug, payouts, readOnly }: { slug: string; payouts: Payout[]; readOnly: boolean }) {
  const totalOf = (payout: Payout) => moneyIn(payout.sums, (sum) => sum.amountMicro);
  return (
    <Panel title="Payout lists" flush>
      <SmallTable
        caption="Payout lists"
        rows={payouts}
        rowKey={(payout) => payout.id}
        empty={
          <EmptyState title="No list yet">
            Approve pending amounts. They become a list that you can download as CSV, pay, and mark as paid.
          </EmptyState>
        }
        columns={[
          { key: 'at', title: 'Approved, UTC', cell: (payout) => formatDateTime(payout.at) },
          { key: 'by', title: 'By', cell: (payout) => payout.by ?? '–' },
          {
            key: 'whom',
            title: 'People from',
            cell: (payout) => (payout.recruiter ? recruiterOf(payout.recruiter).title : 'own pool'),
          },
          {
            key: 'state',
            title: 'State',
            cell: (payout) => (
              <State state={payout.state} tone={payout.state === 'paid' ? 'good' : undefined} />
            ),
          },
          { key: 'lines', title: 'People', numeric: true, cell: (payout) => formatNumber(payout.lines) },
          { key: 'sum', title: 'Total', numeric: true, cell: totalOf },
          {
            key: 'settled',
            title: 'Settled, UTC',
            numeric: true,
            cell: (payout) => formatDateTime(payout.settledAt),
          },
          {
            key: 'act',
            title: 'Actions',
            untitled: true,
            className: 'w-0 whitespace-nowrap text-right',
            cell: (payout) => (
              <span className="inline-flex gap-1">
                <CsvLink href={`/projects/${slug}/crowd/pay/${payout.id}`} size="small" />
                {payout.state === 'approved' && !readOnly && (
                  <SettlePayout
                    slug={slug}
                    payoutId={payout.id}
                    total={totalOf(payout)}
                    through={paysBonuses(payout.recruiter)}
                    reference={payout.reference}
                  />
                )}
              </span>
            ),
          },
        ]}
      />
    </Panel>
  );
}
