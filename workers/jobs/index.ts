import type { JobHandler } from '@/lib/jobs';
import { askQuestions } from './ask-questions';
import { buildConsensus } from './build-consensus';
import { changeImages } from './change-images';
import { changeSchema } from './change-schema';
import { collect } from './collect-blobs';
import { derivatives } from './derivatives';
import { lookalikes } from './find-lookalikes';
import { ingest } from './ingest';
import { rate } from './rate-labels';
import { reclaim } from './reclaim-visits';

/** Every kind of job there is. */
export const jobHandlers: readonly JobHandler[] = [
  ingest,
  derivatives,
  changeImages,
  lookalikes,
  askQuestions,
  changeSchema,
  collect,
  rate,
  reclaim,
  buildConsensus,
];
