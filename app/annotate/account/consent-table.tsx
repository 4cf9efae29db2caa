import Link from 'next/link';
import { EmptyState } from '@/app/_ui/empty-state';
import { State } from '@/app/_ui/state';
import { SmallTable } from '@/app/_ui/table/small-table';
import type { WorkerConsent } from '@/lib/crowd/consent';
import { formatDateTime } from '@/lib/format';
import { WithdrawButton } from './withdraw-button';

const words = {
  agreed: { word: 'agreed', tone: 'good' },
  missing: { word: 'not agreed', tone: 'neutral' },
  outdated: { word: 'agreed to an older text', tone: 'warn' },
  withdrawn: { word: 'withdrawn', tone: 'neutral' },
} as const;

export function ConsentTable({ consents }: { consents: WorkerConsent[] }) {
  return (
    <SmallTable
      caption="Taking part"
      rows={consents}
      rowKey={(consent) => consent.project.id}
      empty={<EmptyState title="No project yet">You see the projects here that invited you.</EmptyState>}
      columns={[
        {
          key: 'project',
          title: 'Project',
          cell: ({ project }) => (
            <Link
              href={`/annotate/${project.slug}/consent`}
              className="text-accent underline underline-offset-2"
            >
              {project.name}
            </Link>
          ),
        },
        {
          key: 'state',
          title: 'State',
          cell: ({ state }) => (
            <State state={state} tone={words[state].tone}>
              {words[state].word}
            </State>
          ),
        },
        {
          key: 'since',
          title: 'Since, UTC',
          className: 'whitespace-nowrap',
          cell: ({ since }) => formatDateTime(since),
        },
        {
          key: 'act',
          title: 'Actions',
          untitled: true,
          className: 'w-0 text-right',
          cell: ({ state, project }) =>
            (state === 'agreed' || state === 'outdated') && (
              <WithdrawButton slug={project.slug} name={project.name} />
            ),
        },
      ]}
    />
  );
}
