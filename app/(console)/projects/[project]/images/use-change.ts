import { useRouter } from 'next/navigation';
import { useCallback } from 'react';
import { toast } from '@/app/_ui/toasts';
import { formatNumber } from '@/lib/core/format';
import {
  type ChangeCounts,
  describeChange,
  type ImageChange,
  type ImageScope,
} from '@/lib/services/images/image-change';
import { type ChangeState, change } from './actions';

/** Reports the result of a change, immediately or when its job ends, and refreshes the page. */
export function useOutcome() {
  const router = useRouter();
  return useCallback(
    async (wanted: ImageChange, { outcome }: ChangeState) => {
      if (outcome?.counts) showOutcome(wanted, outcome.counts);
      if (!outcome?.jobId) return;
      toast.info(
        `${formatNumber(outcome.total)} images are being changed by a job. The tray shows its progress.`,
      );
      const job = await watchJob(outcome.jobId);
      if (job?.state === 'done') showOutcome(wanted, job.result as unknown as ChangeCounts);
      else if (job?.state === 'cancelled') toast.info('Cancelled. Earlier changes are kept.');
      else if (job) toast.error(job.error ?? 'The job failed. Open Jobs for details.');
      router.refresh();
    },
    [router],
  );
}

function showOutcome(wanted: ImageChange, counts: ChangeCounts): void {
  const words = describeChange(wanted, counts);
  if (counts.kept > 0) toast.warning(words, { duration: 12_000 });
  else toast.success(words);
}

/** Applies a change to the selected images. Resolves to an error message if it is refused. */
export function useChange(project: string, scope: ImageScope, onDone: () => void) {
  const reportOutcome = useOutcome();
  return useCallback(
    async (wanted: ImageChange): Promise<string | undefined> => {
      const state = await change(project, { change: wanted, scope });
      if (state.error) return state.error;
      onDone();
      reportOutcome(wanted, state);
      return undefined;
    },
    [project, scope, onDone, reportOutcome],
  );
}

/** Milliseconds between two requests for the state of a job. */
const PAUSE = 700;

type Seen = { state: string; error: string | null; result: Record<string, unknown> | null };

/** Resolves when the job ends, or to null if its state cannot be read; the tray and the jobs page show it, too. */
export async function watchJob(jobId: string): Promise<Seen | null> {
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
    const reply = await fetch(`/api/v1/jobs/${jobId}?limit=1`).catch(() => null);
    if (!reply?.ok) return null;
    const { job } = await reply.json();
    if (['done', 'failed', 'cancelled'].includes(job.state)) return job;
  }
}
