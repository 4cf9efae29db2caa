import type { Database } from '@/db';
import { observed } from './observed';
import { ofDatabase } from './of-database';
import { ofProcess } from './of-process';
import { family } from './prometheus';

/** The state of this process and of the work that all of them share, in the text format of Prometheus. */
export async function metricsText(db: Database): Promise<string> {
  const { requests, jobs } = observed();
  return [
    ...ofProcess(db),
    family('tessera_http_request_seconds', 'histogram', 'Time to answer requests.', requests.samples()),
    family('tessera_job_seconds', 'histogram', 'Time that attempts at jobs took.', jobs.samples()),
    ...(await ofDatabase(db)),
    '',
  ].join('\n');
}
