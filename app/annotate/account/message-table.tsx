import { getTranslations } from 'next-intl/server';
import { getWorkerFormat } from '@/app/_i18n/request';
import { EmptyState } from '@/app/_ui/empty-state';
import { SmallTable } from '@/app/_ui/table/table';
import type { messagesOf } from '@/lib/services/crowd/worker';

type Message = Awaited<ReturnType<typeof messagesOf>>[number];

export async function MessageTable({ messages }: { messages: Message[] }) {
  const t = await getTranslations('records');
  const format = await getWorkerFormat();
  return (
    <SmallTable
      caption={t('message')}
      rows={messages}
      rowKey={(message) => message.id}
      empty={<EmptyState title={t('noMessagesTitle')}>{t('noMessagesText')}</EmptyState>}
      columns={[
        {
          key: 'at',
          title: t('sent'),
          className: 'whitespace-nowrap',
          cell: (message) => format.dateTime(message.at),
        },
        { key: 'project', title: t('project'), cell: (message) => message.project },
        {
          key: 'text',
          title: t('message'),
          cell: (message) => message.text || (message.kind === 'broken-image' ? t('brokenImage') : ''),
        },
      ]}
    />
  );
}
