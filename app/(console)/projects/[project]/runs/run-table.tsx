import Link from 'next/link';
import type { ReactNode } from 'react';
import { ProgressBar } from '@/app/_ui/progress-bar';
import { State } from '@/app/_ui/state';
import { SmallTable } from '@/app/_ui/table';
import { toneOf } from '@/app/_ui/tone';
import { formatDateTime, formatDuration, formatNumber } from '@/lib/core/format';
import { methodOf } from '@/lib/services/training/report/changed-settings';
import { attackName, cleanTest, strongestTest, testsOf } from '@/lib/services/training/report/curves-of';
import type { RunView } from '@/lib/services/training/runs/list-runs';
import { Accuracy } from './accuracy';
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
