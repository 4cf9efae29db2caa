import Link from 'next/link';
import { getTranslations } from 'next-intl/server';
import { getWorkerFormat } from '@/app/_i18n/request';
import { EmptyState } from '@/app/_ui/empty-state';
import { State } from '@/app/_ui/state';
import { SmallTable } from '@/app/_ui/table/table';
import { noValue } from '@/lib/core/format';
import type { WorkerConsent } from '@/lib/services/crowd/consent';
import { WithdrawButton } from './withdraw-button';

const tones = { agreed: 'good', missing: 'neutral', outdated: 'warn', withdrawn: 'neutral' } as const;

export async function ConsentTable({ consents }: { consents: WorkerConsent[] }) {
  const t = await getTranslations('records');
  const format = await getWorkerFormat();
  return (
    <SmallTable
      caption={t('consents')}
      rows={consents}
      rowKey={(consent) => consent.project.id}
      empty={<EmptyState title={t('noConsentsTitle')}>{t('noConsentsText')}</EmptyState>}
      columns={[
        {
          key: 'project',
          title: t('project'),
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
          title: t('state'),
          cell: ({ state }) => (
            <State state={state} tone={tones[state]}>
              {t(`consentStates.${state}`)}
            </State>
          ),
        },
        {
          key: 'since',
          title: t('since'),
          className: 'whitespace-nowrap',
          cell: ({ since }) => (since ? format.dateTime(since) : noValue),
        },
        {
          key: 'act',
          title: t('actions'),
          untitled: true,
          className: 'w-0 text-end',
          cell: ({ state, project }) =>
            (state === 'agreed' || state === 'outdated') && (
              <WithdrawButton slug={project.slug} name={project.name} />
            ),
        },
      ]}
    />
  );
}
