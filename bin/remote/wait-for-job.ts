import { setTimeout as sleep } from 'node:timers/promises';
import { TesseraError } from '@/lib/core/errors';
import type { Remote } from './client';

const lookEveryMs = 500;

interface RemoteJob {
  state: string;
  done: number;
  total: number | null;
  text: string;
  error: string | null;
  result: Record<string, unknown> | null;
}

/** Until a job elsewhere is done; its failure is ours. */
export async function waitForJob(
  remote: Remote,
  jobId: string,
  onProgress: (text: string) => void,
): Promise<RemoteJob> {
  for (;;) {
    const { job } = await remote.ask<{ job: RemoteJob }>(`/jobs/${jobId}`, { query: { limit: '1' } });
    if (job.state === 'done') return job;
    if (job.state === 'failed' || job.state === 'cancelled')
      throw new TesseraError('unavailable', `The job ${job.state}. ${job.error ?? ''}`.trim());
    onProgress(job.total ? `${job.text} ${job.done}/${job.total}` : job.text);
    await sleep(lookEveryMs);
  }
}
