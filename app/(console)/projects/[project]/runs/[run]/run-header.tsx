import { Boxes, Copy } from 'lucide-react';
import Link from 'next/link';
import { can } from '@/app/_shell/can';
import { ButtonLink } from '@/app/_ui/button';
import { PageHeader } from '@/app/_ui/page-header';
import { State } from '@/app/_ui/state';
import { formatDateTime } from '@/lib/core/format';
import { changedSettings, methodOf } from '@/lib/services/training/report/changed-settings';
import { OUT_OF_TIME } from '@/lib/services/training/runs/run-clock';
import { cloneQuery } from '../new/read-wanted';
import { archName, methodNames } from '../run-words';
import type { PageRun } from './page-run';
import { ResumeButton } from './resume-button';

/** Name, state and settings of the run, and its actions. */
export function RunHeader({ page: { access, run, home } }: { page: PageRun }) {
  const { spec } = run;
  const mayRun = can('runs.write', access);
  const clone = cloneQuery({
    version: run.version,
    spec,
    method: methodOf(spec),
    changed: changedSettings(spec),
    classes: run.classes,
    launcher: run.launcher,
  });
  const stopped = run.state === 'cancelled' || run.state === 'failed';
  const spent = run.result?.error?.type === OUT_OF_TIME ? spec.resources.wallMinutes : null;
  return (
    <PageHeader
      title={run.name}
      facts={
        <>
          <State state={run.state} />
          <span className="text-xs">
            started {formatDateTime(run.at)} UTC{run.by && ` by ${run.by}`}
          </span>
        </>
      }
      description={
        <>
          {archName(spec.model.arch)}, {methodNames[methodOf(spec)]}, {spec.preset ?? 'custom spec'}, seed{' '}
          {spec.train.seed}, on{' '}
          <Link href={`${home}/data/${run.version}`} className="underline underline-offset-2">
            version {run.version}
          </Link>
          {run.attempt > 1 && `, attempt ${run.attempt}`}
          {run.trainer && `, on ${run.trainer}`}.
        </>
      }
      more={
        mayRun && (
          <>
            {stopped && <ResumeButton slug={access.project.slug} runId={run.id} spentMinutes={spent} />}
            <ButtonLink href={`${home}/runs/new?${clone}`} icon={<Copy aria-hidden />}>
              Clone
            </ButtonLink>
          </>
        )
      }
      action={
        run.modelId && (
          <ButtonLink variant="primary" href={`${home}/models/${run.modelId}`} icon={<Boxes aria-hidden />}>
            Open model
          </ButtonLink>
        )
      }
    />
  );
}
