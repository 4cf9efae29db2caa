import { setTimeout as sleep } from 'node:timers/promises';
import type { Campaign } from './campaign';

const patienceMs = 5 * 60_000;

/** A job may fail with a sentence; it may not hang, nor be lost, nor tell a fault of the program. */
export async function settled(
  campaign: Campaign,
  headers: Record<string, string>,
  jobs: readonly string[],
): Promise<void> {
  const until = Date.now() + patienceMs;
  for (const id of jobs) {
    for (;;) {
      const reply = await fetch(`${campaign.url}/api/v1/jobs/${id}`, { headers });
      if (reply.status === 429) {
        await sleep(1000);
        continue;
      }
      const { job } = (await reply.json()) as { job: { kind: string; state: string; error: string | null } };
      if (/TypeError|RangeError|undefined|is not (a function|iterable)/.test(job.error ?? ''))
        campaign.blame(`job ${job.kind}: ${job.error}`);
      if (['done', 'failed', 'cancelled'].includes(job.state)) break;
      if (Date.now() > until) {
        campaign.blame(`job ${job.kind} ${id} is ${job.state} after five minutes`);
        break;
      }
      await sleep(300);
    }
    campaign.counts.jobs = (campaign.counts.jobs ?? 0) + 1;
  }
}
