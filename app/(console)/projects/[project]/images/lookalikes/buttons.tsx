'use client';

import { useRouter } from 'next/navigation';
import { useTransition } from 'react';
import { Button } from '@/app/_ui/button';
import { toast } from '@/app/_ui/toasts';
import { compareAll, keep } from '../actions';
import { useOutcome, watchJob } from '../use-change';

/** Starts the job and shows its groups when it is over. */
export function CompareButton({ slug, isAgain }: { slug: string; isAgain: boolean }) {
  const [pending, startTransition] = useTransition();
  const router = useRouter();
  const compare = () =>
    startTransition(async () => {
      const { error, jobId } = await compareAll(slug);
      if (error || !jobId) {
        toast.error(error ?? 'The job did not start. Try again.');
        return;
      }
      const job = await watchJob(jobId);
      if (job?.state === 'failed') toast.error(job.error ?? 'The job failed. Open Jobs for details.');
      router.refresh();
    });
  return (
    <Button variant="primary" pending={pending} onClick={compare}>
      {isAgain ? 'Compare again' : 'Compare all images'}
    </Button>
  );
}

/** Of its group this image stays in use; the others are excluded, which the grid can undo. */
export function KeepButton({ slug, imageId, name }: { slug: string; imageId: string; name: string }) {
  const [pending, startTransition] = useTransition();
  const reportOutcome = useOutcome();
  const act = () =>
    startTransition(async () => {
      const state = await keep(slug, imageId);
      if (state.error) toast.error(state.error);
      else await reportOutcome({ kind: 'state', state: 'excluded' }, state);
    });
  return (
    <Button size="small" pending={pending} aria-label={`Keep ${name} only`} onClick={act}>
      Keep this one
    </Button>
  );
}
