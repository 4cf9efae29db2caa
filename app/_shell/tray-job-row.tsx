'use client';

import { X } from 'lucide-react';
import Link from 'next/link';
import { useState } from 'react';
import { Button } from '@/app/_ui/button';
import { IconButton } from '@/app/_ui/icon-button';
import { Progress } from '@/app/_ui/progress';
import { toast } from '@/app/_ui/toasts';
import { secondsLeft } from '@/lib/core/format';
import { wholeOrNothing } from '@/lib/services/jobs/whole-or-nothing';
import { isOver, type TrayJob } from './jobs-state';

interface TrayJobRowProps {
  job: TrayJob;
  now: Date;
  onCancel: (id: string) => Promise<void>;
  onDismiss: () => void;
}

/** Asks the server to stop a job; the stream then tells what became of it. */
export async function cancelJob(id: string): Promise<void> {
  const answer = await fetch(`/api/v1/jobs/${id}/cancel`, { method: 'POST' });
  if (answer.ok) return;
  const problem = (await answer.json().catch(() => null)) as { detail?: string } | null;
  throw new Error(problem?.detail ?? 'The server did not answer. Try again in a moment.');
}

export function TrayJobRow({ job, now, onCancel, onDismiss }: TrayJobRowProps) {
  const [asked, setAsked] = useState(false);
  const cancel = () => {
    setAsked(true);
    onCancel(job.id).catch((error: Error) => {
      setAsked(false);
      toast.error('The job was not cancelled.', { description: error.message });
    });
  };
  return (
    <div className="flex items-start gap-1">
      <Progress
        className="min-w-0 flex-1"
        title={
          <Link href={`/jobs/${job.id}`} className="hover:underline">
            {job.title}
          </Link>
        }
        label={job.title}
        state={job.state}
        done={job.done}
        total={job.total}
        text={job.error ?? (job.text || (job.projectName ?? ''))}
        secondsLeft={secondsLeft(job.done, job.total, job.startedAt, now)}
        cancel={
          !wholeOrNothing(job.kind) && (
            <Button variant="quiet" size="small" pending={asked || job.cancelRequested} onClick={cancel}>
              Cancel
            </Button>
          )
        }
      />
      {isOver(job) && (
        <IconButton label={`Put away: ${job.title}`} size="small" onClick={onDismiss}>
          <X />
        </IconButton>
      )}
    </div>
  );
}
