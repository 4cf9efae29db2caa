import type { JobHandler } from '@/lib/services/jobs';
import { addUploadedModel } from './add-model';
import { askOracle } from './ask-oracle';
import { askQuestions } from './ask-questions';
import { buildConsensus } from './build-consensus';
import { calibrateTrainer } from './calibrate-trainer';
import { changeImages } from './change-images';
import { changeSchema } from './change-schema';
import { collect } from './collect-blobs';
import { compare } from './compare-answers';
import { confirm } from './confirm-work';
import { derivatives } from './derivatives';
import { evaluateModel } from './evaluate-model';
import { exportVersion } from './export-version';
import { lookalikes } from './find-lookalikes';
import { freeze } from './freeze-version';
import { importDataset } from './import-dataset';
import { ingest } from './ingest';
import { installPyTorch } from './install-trainer';
import { predict } from './predict-images';
import { rate } from './rate-labels';
import { reclaim } from './reclaim-visits';
import { selectNext } from './select-next';
import { trainRun } from './train-run';
import { trainRunElsewhere } from './train-run-elsewhere';
import { trainRunSlurm } from './train-run-slurm';
import { transferPictures } from './transfer-pictures';
import { verify } from './verify-version';
import { statistics } from './version-statistics';

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
