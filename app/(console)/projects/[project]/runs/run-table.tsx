import Link from 'next/link';
import type { ReactNode } from 'react';
import { RefreshWhile } from '@/app/_shell/refresh-while';
import { CopyField } from '@/app/_ui/copy-field';
import { FormError } from '@/app/_ui/forms';
import { Panel } from '@/app/_ui/panel';
import { ProgressBar } from '@/app/_ui/progress-bar';
import { State } from '@/app/_ui/state';
import { SmallTable } from '@/app/_ui/table';
import { Tabs } from '@/app/_ui/tabs';
import { toneOf } from '@/app/_ui/tone';
import { database } from '@/db';
import { formatDateTime, formatDuration, formatNumber, formatPercentInterval } from '@/lib/core/format';
import { installCommand } from '@/lib/services/training/launch/python';
import { methodOf } from '@/lib/services/training/report/changed-settings';
import { attackName, cleanTest, strongestTest, testsOf } from '@/lib/services/training/report/curves-of';
import type { RunView } from '@/lib/services/training/runs/list-runs';
import { isInstalling, readInstallation } from '@/lib/services/training/trainers/installation';
import { listTrainers } from '@/lib/services/training/trainers/list-trainers';
import { archName, isAtWork, methodNames, secondsOf } from './run-words';

interface Props {
  runs: RunView[];
  /** Address of the project. */
  project: string;
  now: Date;
}

export function RunTable({ runs, project, now }: Props) {
  return (
    <SmallTable
      caption="Runs"
      rows={runs}
      rowKey={({ id }) => id}
      empty={null}
      columns={[
        {
          key: 'name',
          title: 'Run',
          cell: ({ id, name }) => (
            <Link
              href={`${project}/runs/${id}`}
              className="line-clamp-2 min-w-32 font-medium underline-offset-2 hover:underline"
            >
              {name}
            </Link>
          ),
        },
        {
          key: 'arch',
          title: 'Architecture, method',
          cell: ({ spec }) => <Two above={archName(spec.model.arch)} below={methodNames[methodOf(spec)]} />,
        },
        {
          key: 'preset',
          title: 'Preset, data',
          cell: ({ spec, version }) => (
            <Two
              above={spec.preset ?? '–'}
              below={
                <>
                  seed {spec.train.seed},{' '}
                  <Link href={`${project}/data/${version}`} className="underline-offset-2 hover:underline">
                    version {version}
                  </Link>
                </>
              }
            />
          ),
        },
        { key: 'state', title: 'State', cell: (run) => <RunState run={run} /> },
        {
          key: 'clean',
          title: 'Clean, 95 %',
          numeric: true,
          cell: ({ result }) => <Accuracy of={cleanTest(testsOf(result))} />,
        },
        {
          key: 'adversarial',
          title: 'Adversarial, 95 %',
          numeric: true,
          cell: ({ result }) => <Adversarial result={result} />,
        },
        {
          key: 'at',
          title: 'Started, UTC',
          className: 'tabular-nums',
          cell: (run) => (
            <Two
              above={formatDateTime(run.at)}
              below={[formatDuration(secondsOf(run, now)), run.by].filter(Boolean).join(', ')}
            />
          ),
        },
      ]}
    />
  );
}

export const Two = ({ above, below }: { above: string; below: ReactNode }) => (
  <span className="flex flex-col whitespace-nowrap">
    <span>{above}</span>
    <span className="text-xs text-ink-3">{below}</span>
  </span>
);

export function Adversarial({ result }: { result: unknown }) {
  const test = strongestTest(testsOf(result));
  return <Accuracy of={test} over={test && `${attackName(test.attack)}, n = ${formatNumber(test.n)}`} />;
}

function RunState({ run }: { run: RunView }) {
  const { state, done, total, text } = run;
  const error = run.result?.error?.message ?? run.error;
  return (
    <div className="flex flex-col gap-1">
      <State state={state} />
      {state === 'running' && total !== null && (
        <ProgressBar label={`Progress of ${run.name}`} done={done} total={total} tone={toneOf(state)} />
      )}
      {isAtWork(run) && text && (
        <span className="max-w-64 text-xs text-ink-3">
          {text}
          {total !== null && `, ${formatNumber(done)} of ${formatNumber(total)} epochs`}
        </span>
      )}
      {state === 'failed' && error && (
        <span className="line-clamp-2 w-36 text-xs wrap-anywhere text-ink-3" title={error}>
          {error}
        </span>
      )}
    </div>
  );
}

interface AccuracyProps {
  /** A share with the ends of its interval. */
  of: { accuracy?: number | null; value?: number; low: number; high: number; n: number } | null | undefined;
  /** The basis of the figure, if it is more than a number of images. */
  over?: string;
}

/** A measured share with its interval and sample size. */
export function Accuracy({ of, over }: AccuracyProps) {
  const value = of?.accuracy ?? of?.value;
  if (!of || value === undefined || value === null) return <span className="text-ink-3">–</span>;
  return (
    <span className="flex flex-col items-end whitespace-nowrap">
      <span>{formatPercentInterval(value, [of.low, of.high])}</span>
      <span className="text-xs text-ink-3">{over ?? `n = ${formatNumber(of.n)}`}</span>
    </span>
  );
}

interface RunTabsProps {
  path: string;
  current: 'list' | 'compare';
}

export function RunTabs({ path, current }: RunTabsProps) {
  const compare = `${path}/compare`;
  return (
    <Tabs
      label="Training pages"
      current={current === 'list' ? path : compare}
      tabs={[
        { label: 'Runs', href: path },
        { label: 'Compare', href: compare },
      ]}
    />
  );
}

/** Shown while no worker of this instance has PyTorch: the progress of its installation, or the command that starts it. */
export async function TrainerNotice() {
  const db = database();
  const here = (await listTrainers(db)).filter(({ kind, state }) => kind === 'local' && state !== 'gone');
  if (here.length === 0 || here.some(({ capabilities }) => !capabilities.missing)) return null;
  const installation = await readInstallation(db);
  if (isInstalling(installation))
    return (
      <Panel
        title="PyTorch is being installed"
        description="Runs start automatically when it is installed. Everything else works meanwhile."
      >
        <RefreshWhile active />
        <div className="flex max-w-xl flex-col gap-2">
          <ProgressBar label="Installing PyTorch" done={installation.done} total={installation.total} />
          <p className="truncate text-ink-3 text-xs">{installation.text || 'Waiting for a worker'}</p>
        </div>
      </Panel>
    );
  return (
    <Panel
      title="PyTorch is missing"
      description="Queued runs start automatically when it is installed. Everything else works meanwhile."
    >
      <div className="flex max-w-xl flex-col gap-3">
        {installation?.state === 'failed' && (
          <FormError>{`PyTorch could not be installed: ${installation.error ?? 'unknown error'}`}</FormError>
        )}
        <CopyField label="Run this on the machine of the worker" value={installCommand} />
      </div>
    </Panel>
  );
}
