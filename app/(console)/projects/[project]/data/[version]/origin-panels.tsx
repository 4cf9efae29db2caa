import Link from 'next/link';
import { ActionButton } from '@/app/_shell/action-button';
import { isActiveJob, toProgress } from '@/app/_shell/job-panel';
import { JobProgress } from '@/app/_shell/job-progress';
import { RefreshWhile } from '@/app/_shell/refresh-while';
import { Panel } from '@/app/_ui/panel';
import { State } from '@/app/_ui/state';
import { formatCount, formatDate, formatDateTime, formatNumber } from '@/lib/core/format';
import type { listVersionRuns } from '@/lib/services/datasets/versions/list-versions';
import type { listNotes } from '@/lib/services/datasets/versions/mark-version';
import type { Verified } from '@/lib/services/datasets/versions/verify-version';
import type { Job } from '@/lib/services/jobs';
import { verify } from './actions';

interface IntegrityPanelProps {
  slug: string;
  number: number;
  /** The newest verification. */
  job: Job | null;
  mayVerify: boolean;
}

/** Whether the stored data are unchanged since freezing. */
export function IntegrityPanel({ slug, number, job, mayVerify }: IntegrityPanelProps) {
  const atWork = job !== null && isActiveJob(job);
  return (
    <Panel
      title="Integrity"
      actions={
        mayVerify &&
        !atWork && (
          <ActionButton size="small" act={verify.bind(null, slug, String(number))}>
            Verify
          </ActionButton>
        )
      }
    >
      <div className="flex flex-col gap-3">
        <RefreshWhile active={atWork} />
        {job === null && (
          <p className="text-ink-2">
            Not verified yet. Verification reads the manifest and every image and compares their hashes.
          </p>
        )}
        {job && (atWork ? <JobProgress {...toProgress(job)} /> : <Outcome job={job} />)}
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
        {job.state === 'cancelled' ? 'was cancelled' : `failed: ${job.error ?? 'unknown error'}`}
      </State>
    );
  return (
    <>
      <State state="hash" tone={found.isWhole ? 'good' : 'bad'} className="whitespace-normal">
        {found.isWhole
          ? `Verified: the manifest and ${formatNumber(found.images)} images match their hashes (${formatDateTime(job.finishedAt)} UTC).`
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

interface LineagePanelProps {
  path: string;
  /** Address of the project. */
  home: string;
  exports: number;
  runs: Awaited<ReturnType<typeof listVersionRuns>>;
}

/** Exports and runs of the version. */
export function LineagePanel({ path, home, exports, runs }: LineagePanelProps) {
  return (
    <Panel title="Used by">
      <div className="flex flex-col gap-2">
        <Link href={`${path}/export`} className="w-fit underline underline-offset-2">
          {formatCount(exports, 'export')}
        </Link>
        {runs.length === 0 ? (
          <span className="text-ink-2">No runs yet</span>
        ) : (
          <ul className="flex flex-col gap-1">
            {runs.map(({ id, name, state, at }) => (
              <li key={id} className="flex items-center gap-3">
                <Link
                  href={`${home}/runs/${id}`}
                  className="min-w-0 flex-1 truncate underline-offset-2 hover:underline"
                >
                  {name}
                </Link>
                <State state={state} className="text-xs" />
                <span className="text-xs text-ink-3">{formatDate(at)}</span>
              </li>
            ))}
          </ul>
        )}
      </div>
    </Panel>
  );
}

type Notes = Awaited<ReturnType<typeof listNotes>>;

/** Notes that were added after freezing, newest first. */
export function NoteList({ notes, data }: { notes: Notes; data: string }) {
  if (notes.length === 0) return <p className="text-ink-2">No notes yet</p>;
  return (
    <ul className="flex flex-col gap-3">
      {notes.map(({ id, text, supersededBy, by, at }) => (
        <li key={id} className="flex flex-col gap-0.5">
          {text && <span className="whitespace-pre-wrap wrap-anywhere">{text}</span>}
          {supersededBy !== null && (
            <Link href={`${data}/${supersededBy}`} className="underline underline-offset-2">
              Superseded by version {supersededBy}
            </Link>
          )}
          <span className="text-xs text-ink-3">
            {by ?? 'deleted account'}, {formatDateTime(at)} UTC
          </span>
        </li>
      ))}
    </ul>
  );
}
