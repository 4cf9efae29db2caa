import { getTranslations } from 'next-intl/server';
import { getWorkerFormat } from '@/app/_i18n/request';
import { EmptyState } from '@/app/_ui/empty-state';
import { SmallTable } from '@/app/_ui/table/table';
import type { StatementLine } from '@/lib/services/crowd/worker';

export async function StatementTable({ lines }: { lines: StatementLine[] }) {
  const t = await getTranslations('money');
  const format = await getWorkerFormat();
  return (
    <SmallTable
      caption={t('statement')}
      rows={lines}
      rowKey={(line) => line.id}
      empty={<EmptyState title={t('emptyTitle')}>{t('emptyText')}</EmptyState>}
      columns={[
        {
          key: 'at',
          title: t('date'),
          cell: (line) => format.dateTime(line.at),
          // The amount is in sight on a phone, too.
          className: 'sm:whitespace-nowrap',
        },
        { key: 'project', title: t('project'), cell: (line) => line.project },
        {
          key: 'kind',
          title: t('for'),
          cell: (line) => [t(`kinds.${line.kind}`), line.note].filter(Boolean).join(': '),
        },
        {
          key: 'amount',
          title: t('amount'),
          numeric: true,
          className: 'whitespace-nowrap',
          cell: (line) => format.money(line.amountMicro, line.currency),
        },
      ]}
    />
  );
}
