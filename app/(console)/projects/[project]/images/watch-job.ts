/** Milliseconds between two looks at a job. */
const PAUSE = 700;

type Seen = { state: string; error: string | null; result: Record<string, unknown> | null };

/** Resolves when the job is over, or when looking at it fails: the tray and the list of jobs tell it, too. */
export async function watchJob(jobId: string): Promise<Seen | null> {
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
    const reply = await fetch(`/api/v1/jobs/${jobId}?limit=1`).catch(() => null);
    if (!reply?.ok) return null;
    const { job } = await reply.json();
    if (['done', 'failed', 'cancelled'].includes(job.state)) return job;
  }
}
