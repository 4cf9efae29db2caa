/** As much of a job as the tray shows. */
export interface TrayJob {
  id: string;
  kind: string;
  title: string;
  state: string;
  done: number;
  total: number | null;
  text: string;
  startedAt: string | null;
  finishedAt: string | null;
  cancelRequested: boolean;
  error: string | null;
  projectName: string | null;
}

const over = ['done', 'failed', 'cancelled'];

export const isOver = (job: TrayJob) => over.includes(job.state);

/**
 * What the tray holds after news: active jobs in the order they were started (ids grow with time), and
 * jobs that it has seen running, until the reader puts them away. Old finished jobs are no news.
 */
export function withNews(jobs: TrayJob[], news: TrayJob[]): TrayJob[] {
  const known = new Map(jobs.map((job) => [job.id, job]));
  for (const job of news) {
    if (known.has(job.id) || !isOver(job)) known.set(job.id, job);
  }
  return [...known.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
}
