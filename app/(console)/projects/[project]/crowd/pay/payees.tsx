import Link from 'next/link';
import { ButtonLink } from '@/app/_ui/button';
import { EmptyState } from '@/app/_ui/empty-state';
import { Panel } from '@/app/_ui/panel';
import { State } from '@/app/_ui/state';
import { SmallTable } from '@/app/_ui/table';
import { formatCount, formatDateTime, noValue } from '@/lib/core/format';
import type { Payee, PayeeList } from '@/lib/services/crowd/pay';
import { moneyIn } from './money-in';
import { methodTitles } from './payee-words';
import { ShowPayee } from './show-payee';

interface Props {
  slug: string;
  /** Null if the project does not collect payee details. */
  list: PayeeList | null;
}

const states = {
  missing: { text: 'Missing', tone: 'warn' },
  unreadable: { text: 'Unreadable', tone: 'bad' },
  stored: { text: 'Entered', tone: 'good' },
} as const;

/** Payee details of workers of the own pool. Accounts are masked until a curator opens one. */
export function Payees({ slug, list }: Props) {
  const policy = <ButtonLink href={`/projects/${slug}/crowd/policy`}>Policy</ButtonLink>;
  if (!list) {
    return (
      <Panel title="Payee details" actions={policy}>
        <p className="max-w-prose text-ink-2">
          Workers of your own pool are not asked where to send their money. Turn on “Ask workers where to send
          their money” in the policy.
        </p>
      </Panel>
    );
  }
  const unseen = list.total - list.payees.length;
  return (
    <Panel title="Payee details" description={descriptionOf(list)} actions={policy} flush>
      <SmallTable
        caption="Payee details"
        rows={list.payees}
        rowKey={(payee) => payee.workerId}
        empty={
          <EmptyState title="No details yet">
            Workers of your own pool appear here when they have earned something or entered their details.
          </EmptyState>
        }
        columns={[
          {
            key: 'worker',
            title: 'Worker',
            cell: (payee) => (
              <Link
                href={`/projects/${slug}/crowd/${payee.workerId}`}
                className="font-medium underline-offset-2 hover:underline"
              >
                {payee.name}
              </Link>
            ),
          },
          {
            key: 'due',
            title: 'Due',
            numeric: true,
            cell: (payee) => moneyIn(payee.due, (sum) => sum.amountMicro),
          },
          {
            key: 'state',
            title: 'Details',
            cell: ({ state }) => (
              <State state={state} tone={states[state].tone}>
                {states[state].text}
              </State>
            ),
          },
          { key: 'method', title: 'Method', cell: ({ method }) => (method ? methodTitles[method] : noValue) },
          { key: 'account', title: 'Account', cell: ({ masked }) => masked ?? noValue },
          { key: 'at', title: 'Updated, UTC', cell: ({ updatedAt }) => formatDateTime(updatedAt) },
          {
            key: 'act',
            title: 'Actions',
            untitled: true,
            className: 'w-0 whitespace-nowrap text-right',
            cell: (payee: Payee) =>
              payee.state === 'stored' && (
                <ShowPayee slug={slug} workerId={payee.workerId} name={payee.name} />
              ),
          },
        ]}
      />
      {unseen > 0 && (
        <p className="border-line border-t px-4 py-2 text-ink-2 text-sm">
          {formatCount(unseen, 'more worker is', 'more workers are')} not shown. The CSV of a payout list has
          the details of all workers on it.
        </p>
      )}
    </Panel>
  );
}

function descriptionOf({ total, missing }: PayeeList): string | undefined {
  if (total === 0) return undefined;
  const who = formatCount(total, 'worker', 'workers');
  return missing === 0
    ? `${who}, all with details. Opening details and downloading them is recorded in the activity log.`
    : `${formatCount(missing, 'worker', 'workers')} of ${total} without details. Opening details and downloading them is recorded in the activity log.`;
}
