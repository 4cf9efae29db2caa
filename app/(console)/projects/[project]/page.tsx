import { ImagePlus } from 'lucide-react';
import type { Metadata } from 'next';
import { ButtonLink } from '@/app/_ui/button';
import { BarChart, LineChart } from '@/app/_ui/charts';
import { EmptyState } from '@/app/_ui/empty-state';
import { Page, PageHeader } from '@/app/_ui/page-header';
import { Panel } from '@/app/_ui/panel';
import { Stat, StatStrip } from '@/app/_ui/stat';
import { State } from '@/app/_ui/state';
import { database } from '@/db';
import { pageProject } from '@/lib/auth/page';
import { projectOverview, workerSummaries } from '@/lib/curation/project-overview';
import { formatDate, formatDuration, formatMoney, formatNumber, formatPercent } from '@/lib/format';
import { StageTable } from './stage-table';
import { WorkerTable } from './worker-table';

type Props = PageProps<'/projects/[project]'>;

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { project } = await pageProject((await params).project);
  return { title: project.name };
}

export default async function ProjectOverview({ params }: Props) {
  const { project, actor, roles } = await pageProject((await params).project);
  const seesCrowd = actor.isAdmin || roles.includes('curator');
  const [overview, workers] = await Promise.all([
    projectOverview(database(), project.id),
    seesCrowd ? workerSummaries(database(), project.id) : [],
  ]);
  const path = `/projects/${project.slug}`;
  return (
    <Page>
      <PageHeader
        title={project.name}
        facts={<State state={project.state} />}
        description={project.description}
        action={
          <ButtonLink
            href={overview.imageCount ? `${path}/images` : `${path}/images/add`}
            variant="primary"
            icon={<ImagePlus aria-hidden />}
          >
            {overview.imageCount ? 'Open images' : 'Add images'}
          </ButtonLink>
        }
      />
      {overview.imageCount === 0 ? (
        <Panel>
          <EmptyState title="This project has no images yet">
            Add pictures first: drop files, folders or a zip. Their class can come from the folder name, a CSV
            or a WordNet id.
          </EmptyState>
        </Panel>
      ) : (
        <OverviewBody overview={overview} path={path} />
      )}
      {workers.length > 0 && (
        <Panel title="Workers" description="Busiest first. A check is an item whose answer is known." flush>
          <WorkerTable workers={workers} />
        </Panel>
      )}
    </Page>
  );
}

type Overview = Awaited<ReturnType<typeof projectOverview>>;

function OverviewBody({ overview, path }: { overview: Overview; path: string }) {
  const { quality, cost, stages, days, classes } = overview;
  const total = stages.reduce((sum, stage) => sum + stage.total, 0);
  const settled = stages.reduce((sum, stage) => sum + stage.settled, 0);
  const left = stages.reduce(
    (sum, stage) => sum + (stage.total - stage.settled) * (stage.median_seconds ?? 0),
    0,
  );
  return (
    <>
      <StatStrip>
        <Stat label="Images" value={formatNumber(overview.imageCount)} href={`${path}/images`} />
        <Stat label="Items settled" value={formatPercent(total ? settled / total : null, 0)} n={total} />
        <Stat label="Labels" value={formatNumber(overview.labelCount)} />
        <Stat
          label="Checks passed"
          value={formatPercent(quality?.value, 0)}
          n={quality?.n ?? 0}
          interval={
            quality ? `${formatNumber(quality.low * 100)}–${formatNumber(quality.high * 100)}` : undefined
          }
        />
        <Stat label="Work left" value={left ? formatDuration(left) : '–'} />
        <Stat
          label="Earned by workers"
          value={cost.map((row) => formatMoney(BigInt(row.amountMicro), row.currency)).join(', ') || '–'}
        />
      </StatStrip>
      <Panel title="Stages" flush>
        <StageTable stages={stages} />
      </Panel>
      <div className="grid gap-6 xl:grid-cols-2">
        <Panel>
          <BarChart
            title="Images per class"
            categories={classes.map((row) => row.className ?? 'no class')}
            series={[{ name: 'Images', values: classes.map((row) => row.count) }]}
          />
        </Panel>
        <Panel>
          <LineChart
            title="Answers per day"
            note="Last 30 days, UTC"
            x={{ title: 'Day', format: (value) => formatDate(value).slice(5) }}
            y={{ title: 'Answers', domain: [0, Math.max(1, ...days.map((day) => day.count))] }}
            series={[
              { name: 'Answers', points: days.map((day) => ({ x: Date.parse(day.day), y: day.count })) },
            ]}
          />
        </Panel>
      </div>
    </>
  );
}
