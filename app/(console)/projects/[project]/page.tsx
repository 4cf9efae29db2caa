import { ArrowRight, ImagePlus } from 'lucide-react';
import type { Metadata } from 'next';
import { ButtonLink } from '@/app/_ui/button';
import { BarChart, LineChart } from '@/app/_ui/charts';
import { EmptyState } from '@/app/_ui/empty-state';
import { Page, PageHeader } from '@/app/_ui/page-header';
import { Panel } from '@/app/_ui/panel';
import { State } from '@/app/_ui/state';
import { database } from '@/db';
import { formatDate, formatPercent } from '@/lib/core/format';
import { pageProject } from '@/lib/services/access/page';
import { busiestWorkers } from '@/lib/services/curation/overview/busiest-workers';
import { type Dashboard, readDashboard } from '@/lib/services/curation/overview/read-dashboard';
import { NeedList, tellNeed } from './need-list';
import { OverviewNumbers } from './overview-numbers';
import { StageTable } from './stage-table';
import { WorkerTable } from './worker-table';

type Props = PageProps<'/projects/[project]'>;

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { project } = await pageProject((await params).project);
  return { title: project.name };
}

const WORKERS = 10;

export default async function ProjectOverview({ params }: Props) {
  const { project, actor, roles } = await pageProject((await params).project);
  const seesCrowd = actor.isAdmin || roles.includes('curator');
  const db = database();
  const [dashboard, workers] = await Promise.all([
    readDashboard(db, project, { seesCrowd }),
    seesCrowd ? busiestWorkers(db, project.id, WORKERS) : [],
  ]);
  const path = `/projects/${project.slug}`;
  const { needs } = dashboard;
  const isEmpty = dashboard.imageCount === 0;
  const first = needs[0] && tellNeed(needs[0], path);
  return (
    <Page>
      <PageHeader
        title={project.name}
        facts={<State state={project.state} />}
        description={project.description}
        action={
          isEmpty || !first ? (
            <ButtonLink
              href={isEmpty ? `${path}/images/add` : `${path}/images`}
              variant="primary"
              icon={<ImagePlus aria-hidden />}
            >
              {isEmpty ? 'Add images' : 'Open images'}
            </ButtonLink>
          ) : (
            <ButtonLink href={first.href} variant="primary" icon={<ArrowRight aria-hidden />}>
              {first.act}
            </ButtonLink>
          )
        }
      />
      {isEmpty ? (
        <Panel>
          <EmptyState
            title="This project has no images yet"
            action={seesCrowd && <ButtonLink href={`${path}/setup`}>Open setup</ButtonLink>}
          >
            Add images first: drop files, folders or a zip. Classes can be read from folder names, a CSV file
            or WordNet ids.
          </EmptyState>
        </Panel>
      ) : (
        <>
          <Panel title="Needs your attention" flush>
            <NeedList needs={needs} path={path} />
          </Panel>
          <OverviewBody dashboard={dashboard} path={path} seesCrowd={seesCrowd} />
        </>
      )}
      {workers.length > 0 && (
        <Panel
          title="Workers"
          description="The most active workers of the last 30 days, with their answers and pay in this period. A check is a hidden item whose answer is known."
          actions={
            <ButtonLink size="small" variant="quiet" href={`${path}/crowd`}>
              All workers
            </ButtonLink>
          }
          flush
        >
          <WorkerTable workers={workers} path={path} />
        </Panel>
      )}
    </Page>
  );
}

interface BodyProps {
  dashboard: Dashboard;
  path: string;
  seesCrowd: boolean;
}

function OverviewBody({ dashboard, path, seesCrowd }: BodyProps) {
  const { stages, days, classes } = dashboard;
  const now = new Date();
  const onDay = (value: number) => formatDate(value).slice(5);
  return (
    <>
      <OverviewNumbers dashboard={dashboard} path={path} seesCrowd={seesCrowd} now={now} />
      <Panel
        title="Stages"
        description="The forecast assumes the pace of the last 7 days. Median times cover the last 30 days."
        flush
      >
        <StageTable stages={stages} now={now} />
      </Panel>
      <div className="grid items-start gap-6 lg:grid-cols-2 min-[100rem]:grid-cols-3">
        <Panel>
          <LineChart
            title="Checks passed"
            note="Per day, UTC, with 95 % intervals; last 30 days"
            x={{ title: 'Day', format: onDay }}
            y={{ title: 'Share', domain: [0, 1], format: (value) => formatPercent(value, 0) }}
            series={[
              {
                name: 'Checks passed',
                points: dashboard.quality.days.map(({ day, passed }) => ({
                  x: Date.parse(day),
                  y: passed.value,
                  low: passed.low,
                  high: passed.high,
                })),
              },
            ]}
          />
        </Panel>
        <Panel>
          <LineChart
            title="Answers per day"
            note="Last 30 days, UTC"
            x={{ title: 'Day', format: onDay }}
            y={{ title: 'Answers', domain: [0, Math.max(1, ...days.map((day) => day.answers))] }}
            series={[
              { name: 'Answers', points: days.map((day) => ({ x: Date.parse(day.day), y: day.answers })) },
            ]}
          />
        </Panel>
        <Panel>
          <BarChart
            title="Images per class"
            categories={classes.map((row) => row.className ?? 'no class')}
            series={[{ name: 'Images', values: classes.map((row) => row.count) }]}
          />
        </Panel>
      </div>
    </>
  );
}
