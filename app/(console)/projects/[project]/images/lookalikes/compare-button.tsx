'use client';

import { useRouter } from 'next/navigation';
import { useTransition } from 'react';
import { Button } from '@/app/_ui/button';
import { toast } from '@/app/_ui/toasts';
import { compareAll } from '../actions';
import { watchJob } from '../watch-job';

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
      if (job?.state === 'failed') toast.error(job.error ?? 'The job failed. See the list of jobs.');
      router.refresh();
    });
  return (
    <Button variant="primary" pending={pending} onClick={compare}>
      {isAgain ? 'Compare again' : 'Compare all images'}
    </Button>
  );
}
