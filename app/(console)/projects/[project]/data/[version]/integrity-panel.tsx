import { Panel } from '@/app/_ui/panel';
import { State } from '@/app/_ui/state';
import { formatDateTime, formatNumber } from '@/lib/core/format';
import type { Verified } from '@/lib/services/datasets/versions/verify-version';
import type { Job } from '@/lib/services/jobs/types';
import { RefreshWhile } from '../../agreement/refresh-while';
import { isAtWork, progressOf } from '../_job/job-panel';
import { JobProgress } from '../_job/job-progress';
import { ActButton } from './act-button';
import { verify } from './actions';

interface Props {
  slug: string;
  number: number;
  /** The newest verification. */
  job: Job | null;
  mayVerify: boolean;
}

/** Whether the stored bytes still are what was frozen. */
export function IntegrityPanel({ slug, number, job, mayVerify }: Props) {
  const atWork = job !== null && isAtWork(job);
  return (
    <Panel
      title="Integrity"
      actions={
        mayVerify &&
        !atWork && (
          <ActButton size="small" act={verify.bind(null, slug, String(number))}>
            Verify
          </ActButton>
        )
      }
    >
      <div className="flex flex-col gap-3">
        <RefreshWhile active={atWork} />
        {job === null && (
          <p className="text-ink-2">
            Not verified yet. Verifying reads the manifest and every picture again and compares their hashes.
          </p>
        )}
        {job && (atWork ? <JobProgress {...progressOf(job)} /> : <Outcome job={job} />)}
      </div>
    </Panel>
  );
}

function Outcome({ job }: { job: Job }) {
  const found = job.result as unknown as Verified | null;
  if (job.state !== 'done' || !found)
    return (
      <State state={job.state} className="whitespace-normal">
        The verification{' '}
        {job.state === 'cancelled' ? 'was cancelled' : `failed: ${job.error ?? 'no reason was kept'}`}
      </State>
    );
  return (
    <>
      <State state="hash" tone={found.isWhole ? 'good' : 'bad'} className="whitespace-normal">
        {found.isWhole
          ? `The hash checks out: ${formatNumber(found.images)} images and the manifest are as they were frozen (${formatDateTime(job.finishedAt)} UTC).`
          : 'The version is damaged.'}
      </State>
      {found.problems.length > 0 && (
        <ul className="flex max-h-48 list-disc flex-col gap-1 overflow-y-auto pl-4">
          {found.problems.map((problem) => (
            <li key={problem}>{problem}</li>
          ))}
        </ul>
      )}
    </>
  );
}
