import { Play, Snowflake } from 'lucide-react';
import type { Metadata } from 'next';
import type { ReactNode } from 'react';
import { z } from 'zod';
import { can } from '@/app/_shell/can';
import { RefreshWhile } from '@/app/_shell/refresh-while';
import { ButtonLink } from '@/app/_ui/button';
import { EmptyState } from '@/app/_ui/empty-state';
import { Page, PageHeader } from '@/app/_ui/page-header';
import { Panel } from '@/app/_ui/panel';
import { CsvLink, Pager } from '@/app/_ui/table';
import { database } from '@/db';
import { pageProject } from '@/lib/services/access/page';
import { listVersions } from '@/lib/services/datasets/versions/list-versions';
import { listRuns } from '@/lib/services/training/runs/list-runs';
import { RunTable, RunTabs, TrainerNotice } from './run-table';
import { isAtWork } from './run-words';

export const metadata: Metadata = { title: 'Runs' };

type Props = PageProps<'/projects/[project]/runs'>;

const PAGE = 50;

export default async function Runs({ params, searchParams }: Props) {
  const access = await pageProject((await params).project);
  const { project } = access;
  const query = await searchParams;
  const before = z.uuid().safeParse(query.after).data;
  const db = database();
  const [found, versions] = await Promise.all([
    listRuns(db, { projectId: project.id, before, limit: PAGE + 1 }),
    listVersions(db, { projectId: project.id, limit: 1 }),
  ]);
  const runs = found.slice(0, PAGE);
  const home = `/projects/${project.slug}`;
  const path = `${home}/runs`;
  const start = can('runs.write', access) && versions.length > 0 && (
    <ButtonLink variant="primary" href={`${path}/new`} icon={<Play aria-hidden />}>
      New run
    </ButtonLink>
  );
  const isEmpty = runs.length === 0 && before === undefined;
  return (
    <Page>
      <PageHeader
        title="Runs"
        description="Models trained on frozen versions, with their progress, clean accuracy and accuracy under attack."
        action={!isEmpty && start}
      />
      <RunTabs path={path} current="list" />
      <RefreshWhile active={runs.some(isAtWork)} />
      <TrainerNotice />
      <Panel title="Runs" actions={runs.length > 0 && <CsvLink href={`${path}/csv`} />} flush>
        {isEmpty ? (
          <NoRuns start={start} freeze={versions.length === 0 && `${home}/data`} slug={project.slug} />
        ) : (
          <RunTable runs={runs} project={home} now={new Date()} />
        )}
        {(found.length > PAGE || before !== undefined) && (
          <Pager
            path={path}
            query={query}
            shown={runs.length}
            next={found.length > PAGE ? runs.at(-1)?.id : undefined}
          />
        )}
      </Panel>
    </Page>
  );
}

interface NoRunsProps {
  start: ReactNode;
  /** Link to the freeze page if the project has no version. */
  freeze: string | false;
  slug: string;
}

const NoRuns = ({ start, freeze, slug }: NoRunsProps) => (
  <EmptyState
    title="No runs yet"
    action={
      freeze ? (
        <ButtonLink variant="primary" href={freeze} icon={<Snowflake aria-hidden />}>
          Go to data
        </ButtonLink>
      ) : (
        start
      )
    }
  >
    {freeze ? (
      <p>
        Training needs a frozen version with the splits train, val and test, so that the training data cannot
        change later. This project has no such version yet.
      </p>
    ) : (
      <p>
        A run trains a model on a frozen version, tests it with and without attacks, and registers it as an
        ONNX file. The preset tiny-64 takes minutes on a processor. From the command line:{' '}
        <code className="font-mono text-xs">npx tessera train --project {slug}</code>
      </p>
    )}
  </EmptyState>
);
