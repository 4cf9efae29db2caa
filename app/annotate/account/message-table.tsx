import { EmptyState } from '@/app/_ui/empty-state';
import { SmallTable } from '@/app/_ui/table/small-table';
import type { messagesOf } from '@/lib/crowd/worker';
import { formatDateTime } from '@/lib/format';

type Message = Awaited<ReturnType<typeof messagesOf>>[number];

export function MessageTable({ messages }: { messages: Message[] }) {
  return (
    <SmallTable
      caption="Messages to the curators"
      rows={messages}
      rowKey={(message) => message.id}
      empty={
        <EmptyState title="No messages">
          What you report about an item while you work is kept here.
        </EmptyState>
      }
      columns={[
        {
          key: 'at',
          title: 'Sent, UTC',
          className: 'whitespace-nowrap',
          cell: (message) => formatDateTime(message.at),
        },
        { key: 'project', title: 'Project', cell: (message) => message.project },
        {
          key: 'text',
          title: 'Message',
          cell: (message) =>
            message.text || (message.kind === 'broken-image' ? 'The picture is broken.' : ''),
        },
      ]}
    />
  );
}
