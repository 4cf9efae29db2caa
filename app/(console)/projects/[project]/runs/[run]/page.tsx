import type { Metadata } from 'next';
import { JobPanel } from '@/app/_shell/job-panel';
import { RefreshWhile } from '@/app/_shell/refresh-while';
import { FormError } from '@/app/_ui/forms';
import { Page } from '@/app/_ui/page-header';
import { Panel } from '@/app/_ui/panel';
import { Stat, StatStrip } from '@/app/_ui/stat';
import { database } from '@/db';
import { formatDuration, formatNumber, formatPercent } from '@/lib/core/format';
import { listActiveJobs } from '@/lib/services/datasets/versions/list-versions';
import { storage } from '@/lib/services/storage';
import { getModel } from '@/lib/services/training/models';
import {
  attackName,
  cleanTest,
  curvesOf,
  listReportedTests,
  readLogTail,
  strongestTest,
  testsOf,
} from '@/lib/services/training/report/curves-of';
import { listEvents, listRunFiles } from '@/lib/services/training/runs/keep-events';
import { readContract } from '../../models/read-contract';
import { TestTable } from '../run-results';
import { TrainerNotice } from '../run-table';
import { isAtWork, secondsOf } from '../run-words';
import { pageRun } from './page-run';
import { PreviewPanel } from './preview-panel';
import { RunHeader } from './run-header';
import { CurvePanels, OutputPanel, SpecDetails, ToldPanel, WarningPanel } from './run-panels';

type Props = PageProps<'/projects/[project]/runs/[run]'>;

const MAX_EVENTS = 20_000;

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { project, run } = await params;
  return { title: (await pageRun(project, run)).run.name };
}

export default async function Run({ params }: Props) {
  const { project: slug, run: id } = await params;
  const page = await pageRun(slug, id);
  const { run, home, access } = page;
  const db = database();
  const [events, files, jobs, tail, model] = await Promise.all([
    listEvents(db, { runId: run.id, limit: MAX_EVENTS }),
    listRunFiles(db, run.id),
    listActiveJobs(db, run.jobId ? [run.jobId] : []),
    isAtWork(run) ? null : readLogTail(db, storage(), run.id),
    run.modelId ? getModel(db, { projectId: access.project.id, modelId: run.modelId }) : null,
  ]);
  const job = run.jobId ? jobs.get(run.jobId) : undefined;
  const verdict = testsOf(run.result);
  const tests = verdict.length > 0 ? verdict : listReportedTests(events);
  const [clean, strongest] = [cleanTest(tests), strongestTest(tests)];
  const start = events.findLast(({ kind }) => kind === 'start')?.document;
  const rate = events.findLast(({ document }) => document.split === 'train')?.document.imagesPerSecond;
  const previews = files.flatMap(({ path }) => /previews\/(\d+-\d+)\.u8$/.exec(path)?.[1] ?? []);
  const interval = (of: typeof clean) =>
    of && `${formatNumber(of.low * 100, 1)}–${formatNumber(of.high * 100, 1)}`;
  return (
    <Page>
      <RunHeader page={page} />
      <RefreshWhile active={isAtWork(run) && !job} />
      {job && <JobPanel job={job} fallback={null} />}
      {run.launcher === 'local' && isAtWork(run) && <TrainerNotice />}
      {run.state === 'failed' && (
        <Panel title="The run failed">
          <FormError>
            {run.result?.error?.message ?? run.error ?? 'The trainer reported no reason.'}
          </FormError>
        </Panel>
      )}
      <StatStrip>
        <Stat
          label="Clean accuracy"
          value={formatPercent(clean?.accuracy)}
          interval={interval(clean)}
          n={clean?.n}
        />
        <Stat
          label={strongest ? `Accuracy under ${attackName(strongest.attack)}` : 'Adversarial accuracy'}
          value={formatPercent(strongest?.accuracy)}
          interval={interval(strongest)}
          n={strongest?.n}
        />
        <Stat label="Time" value={formatDuration(secondsOf(run, new Date()))} />
        <Stat label="Parameters" value={formatNumber(start ? Number(start.parameters) : null)} />
        <Stat label="Images/s, last" value={formatNumber(typeof rate === 'number' ? rate : null, 1)} />
      </StatStrip>
      <WarningPanel events={events} />
      <CurvePanels curves={curvesOf(events)} spec={run.spec} isOver={!isAtWork(run)} />
      <PreviewPanel
        path={`${home}/runs/${run.id}`}
        names={previews}
        hasTruth={files.some(({ path }) => path.endsWith('previews/truth.u8'))}
        spec={run.spec}
        maskValues={model ? readContract(model.contract).maskValues : []}
      />
      <TestTable tests={tests} isOver={!isAtWork(run)} />
      <div className="grid items-start gap-6 xl:grid-cols-2">
        <ToldPanel events={events} />
        <SpecDetails spec={run.spec} />
      </div>
      <OutputPanel tail={tail} />
    </Page>
  );
}
