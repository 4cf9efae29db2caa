import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { pageNames } from '@/app/_i18n/project-texts';
import { ButtonLink } from '@/app/_ui/button';
import { Panel } from '@/app/_ui/panel';
import { idAfter, type Query } from '@/app/_ui/table';
import { database } from '@/db';
import { requireActor } from '@/lib/services/access/page';
import { listBatches } from '@/lib/services/crowd/worker';
import { BatchList } from '../_home/batch-list';

const PAGE = 30;

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('history'))('title') };
}

/** All batches of a worker, page by page. */
export default async function History({ searchParams }: { searchParams: Promise<Query> }) {
  const actor = await requireActor();
  const { before: given } = await searchParams;
  const before = idAfter({ after: typeof given === 'string' ? given : undefined });
  const found = await listBatches(database(), actor.userId, { limit: PAGE + 1, before });
  const batches = found.slice(0, PAGE);
  const last = found.length > PAGE ? batches.at(-1) : undefined;
  const names = await pageNames(batches.map(({ projectId }) => projectId));
  const t = await getTranslations();
  return (
    <>
      <h1 className="text-2xl font-semibold tracking-tight">{t('history.title')}</h1>
      <Panel flush>
        <BatchList batches={batches} names={names} label={t('history.title')} />
      </Panel>
      <div className="flex flex-wrap gap-3">
        {last && (
          <ButtonLink href={`/annotate/history?before=${last.id}`} size="large">
            {t('history.older')}
          </ButtonLink>
        )}
        {before && (
          <ButtonLink href="/annotate/history" size="large">
            {t('history.newest')}
          </ButtonLink>
        )}
        <ButtonLink href="/annotate" size="large" variant="quiet">
          {t('shell.backToWork')}
        </ButtonLink>
      </div>
    </>
  );
}
