import { z } from 'zod';
import type { Database } from '@/db';
import type { Actor } from '@/lib/services/access';
import { type JobView, listJobs } from '@/lib/services/jobs';
import { jobFeed } from '@/lib/services/jobs/job-feed';
import { activeStates } from '@/lib/services/jobs/job-row';
import { visibleProjectIds } from '@/lib/services/jobs/list-jobs';
import { draining } from '@/lib/services/observability/current-work';
import { ListedJob } from './fields';

/** Proxies close a line on which nothing moves. */
const aliveMs = 15_000;
/** Then the browser connects again, and rights that were taken meanwhile are gone. */
const longestMs = 5 * 60_000;

const Jobs = z.array(ListedJob);

/** Changes of the jobs that the actor may see, for as long as they listen. */
export async function streamJobs(db: Database, actor: Actor, signal: AbortSignal): Promise<Response> {
  const visible = await visibleProjectIds(db, actor);
  const isVisible = (job: JobView) =>
    visible === null || (job.projectId !== null && visible.has(job.projectId));
  let end = () => {};
  const body = new ReadableStream<Uint8Array>({
    async start(controller) {
      const send = (text: string) => controller.enqueue(new TextEncoder().encode(text));
      const tell = (jobs: JobView[]) => {
        const seen = jobs.filter(isVisible);
        if (seen.length > 0) send(`data: ${JSON.stringify(Jobs.parse(seen))}\n\n`);
      };
      send('retry: 2000\n\n');
      const unsubscribe = jobFeed(db).subscribe(tell);
      const alive = setInterval(() => send(': alive\n\n'), aliveMs);
      const over = setTimeout(() => end(), longestMs);
      end = () => {
        end = () => {};
        unsubscribe();
        clearInterval(alive);
        clearTimeout(over);
        controller.close();
      };
      const gone = AbortSignal.any([signal, draining()]);
      gone.addEventListener('abort', () => end(), { once: true });
      tell((await listJobs(db, actor, { states: activeStates, limit: 200 })).jobs);
    },
    cancel: () => end(),
  });
  return new Response(body, {
    headers: { 'content-type': 'text/event-stream; charset=utf-8', 'x-accel-buffering': 'no' },
  });
}
