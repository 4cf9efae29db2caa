import type { JobHandler } from '@/lib/jobs';
import { askQuestions } from './ask-questions';
import { collect } from './collect-blobs';
import { derivatives } from './derivatives';
import { ingest } from './ingest';
import { reclaim } from './reclaim-visits';

/** Every kind of job there is. */
export const jobHandlers: readonly JobHandler[] = [ingest, derivatives, askQuestions, collect, reclaim];
