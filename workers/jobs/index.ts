import type { JobHandler } from '@/lib/jobs';
import { collect } from './collect-blobs';
import { derivatives } from './derivatives';
import { ingest } from './ingest';

/** Every kind of job there is. */
export const jobHandlers: readonly JobHandler[] = [ingest, derivatives, collect];
