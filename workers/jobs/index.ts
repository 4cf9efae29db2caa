import type { JobHandler } from '@/lib/services/jobs';
import { installQueues } from '@/lib/services/jobs/queue';
import { askQuestions, buildConsensus, changeSchema, compare, confirm, rate, reclaim } from './crowd';
import { exportVersion, freeze, importDataset, statistics, verify } from './datasets';
import { changeImages, collect, derivatives, ingest, lookalikes } from './images';
import { addUploadedModel, askOracle, evaluateModel, predict, selectNext, transferPictures } from './models';
import { calibrateTrainer, installPyTorch, trainRun, trainRunElsewhere, trainRunSlurm } from './training';

/** Every kind of job there is. */
export const jobHandlers: readonly JobHandler[] = [
  ingest,
  importDataset,
  derivatives,
  changeImages,
  lookalikes,
  askQuestions,
  changeSchema,
  collect,
  rate,
  reclaim,
  compare,
  confirm,
  buildConsensus,
  freeze,
  exportVersion,
  verify,
  statistics,
  predict,
  selectNext,
  trainRun,
  trainRunElsewhere,
  trainRunSlurm,
  addUploadedModel,
  evaluateModel,
  transferPictures,
  askOracle,
  installPyTorch,
  calibrateTrainer,
];

/** Part of bringing a database up to this release: jobs can be started before any worker has run. */
export const prepareQueues = (url: string): Promise<void> =>
  installQueues(
    url,
    jobHandlers.map((handler) => handler.kind),
  );
