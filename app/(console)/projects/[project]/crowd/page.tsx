import { UserPlus } from 'lucide-react';
import type { Metadata } from 'next';
import { ButtonLink } from '@/app/_ui/button';
import { EmptyState } from '@/app/_ui/empty-state';
import { DataTable, readTableState, tableHref } from '@/app/_ui/table';
import { database } from '@/db';
import { looksLikeId } from '@/lib/services/access';
import { pageProject } from '@/lib/services/access/page';
import { crowdStages } from '@/lib/services/crowd/overview/crowd-stages';
import { listWorkers } from '@/lib/services/crowd/overview/list-workers';
import { CrowdCharts } from './crowd-charts';
import { CrowdPage } from './crowd-page';
import { orderOf, readWorkerFilter } from './read-worker-filter';
import { workerColumns } from './worker-columns';
import { WorkerFilters } from './worker-filters';

export const metadata: Metadata = { title: 'Workers' };

const PAGE = 100;
/** Maximum number of workers in the histogram. More workers do not change its shape visibly. */
const DRAWN = 1000;

type Props = PageProps<'/projects/[project]/crowd'>;

export default async function Workers({ params, searchParams }: Props) {
  const { project } = await pageProject((await params).project, 'crowd.read');
  const query = await searchParams;
  const db = database();
  const filter = readWorkerFilter(query);
  const stages = await crowdStages(db, project);
  const shown = filter.stageId ? stages.filter((stage) => stage.id === filter.stageId) : stages;
  const columns = workerColumns(project.slug, shown, new Date());
  const state = readTableState(query, columns, '-items');
  const after = state.after && looksLikeId(state.after) ? state.after : undefined;
  const [{ rows, total }, drawn] = await Promise.all([
    listWorkers(db, project.id, { ...filter, limit: PAGE + 1, after, sort: orderOf(state) }),
    listWorkers(db, project.id, { ...filter, limit: DRAWN }),
  ]);
  const page = rows.slice(0, PAGE);
  const path = `/projects/${project.slug}/crowd`;
  const isFiltered = filter.search || filter.state;
  return (
    <CrowdPage
      slug={project.slug}
      at=""
      title="Workers"
      description="Workers of this project and their scores on hidden checks, with 95 % intervals. A mark shows whether the whole interval is above or below the bar of the stage."
      more={total > 1 && <ButtonLink href={`${path}/compare`}>Compare two</ButtonLink>}
      action={
        <ButtonLink href={`${path}/invite`} variant="primary" icon={<UserPlus aria-hidden />}>
          Invite workers
        </ButtonLink>
      }
    >
      <CrowdCharts slug={project.slug} workers={drawn.rows} stages={shown} />
      <DataTable
        caption="Workers"
        columns={columns}
        rows={page}
        rowKey={(row) => row.id}
        state={state}
        path={path}
        query={query}
        filters={
          <WorkerFilters
            path={path}
            filter={filter}
            stages={stages}
            sort={typeof query.sort === 'string' ? query.sort : undefined}
            columns={typeof query.columns === 'string' ? query.columns : undefined}
          />
        }
        csv={tableHref(`${path}/csv`, query, { after: null, columns: null })}
        pager={{ total, next: rows.length > PAGE ? page.at(-1)?.id : null }}
        empty={
          isFiltered ? (
            <EmptyState
              title="No matching workers"
              action={<ButtonLink href={path}>Show all workers</ButtonLink>}
            >
              No worker in this state has a name or cohort that contains “{filter.search ?? ''}”.
            </EmptyState>
          ) : (
            <EmptyState
              title="No workers yet"
              action={
                <ButtonLink href={`${path}/invite`} variant="primary">
                  Invite workers
                </ButtonLink>
              }
            >
              Create an invitation link for your own workers, or connect a Prolific study. Workers appear here
              after they accept the consent text and take the exam.
            </EmptyState>
          )
        }
      />
    </CrowdPage>
  );
}
