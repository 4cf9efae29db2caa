'use client';

import { useState } from 'react';
import { cancelJob } from '@/app/_shell/tray-job-row';
import { useClock } from '@/app/_shell/use-clock';
import { Button } from '@/app/_ui/button';
import { Progress } from '@/app/_ui/progress';
import { toast } from '@/app/_ui/toasts';
import { secondsLeft } from '@/lib/core/format';

interface Props {
  id: string;
  title: string;
  state: string;
  done: number;
  total: number | null;
  text: string;
  startedAt: string | null;
  cancelRequested: boolean;
}

/** A job on the page that waits for it: how far, how long still, and the way to stop it. */
export function JobProgress({ id, cancelRequested, startedAt, ...job }: Props) {
  const [asked, setAsked] = useState(false);
  const now = useClock(job.state === 'running');
  const cancel = () => {
    setAsked(true);
    cancelJob(id).catch((error: Error) => {
      setAsked(false);
      toast.error('The job was not cancelled.', { description: error.message });
    });
  };
  return (
    <Progress
      {...job}
      label={job.title}
      secondsLeft={secondsLeft(job.done, job.total, startedAt, now)}
      cancel={
        <Button variant="quiet" size="small" pending={asked || cancelRequested} onClick={cancel}>
          Cancel
        </Button>
      }
    />
  );
}
