import { z } from 'zod';
import { ORACLE_JOB } from '@/lib/services/crowd/oracle';
import { resumeEvaluation } from '@/lib/services/evaluations/crowd/ask-round';
import { runEvaluation } from '@/lib/services/evaluations/run-evaluation';
import { EVALUATE_JOB } from '@/lib/services/evaluations/start-evaluation';
import { runTransfer } from '@/lib/services/evaluations/transfer/run-transfer';
import { MAX_MODELS, TRANSFER_JOB } from '@/lib/services/evaluations/transfer/start-transfer';
import { ADD_MODEL_JOB, addModel } from '@/lib/services/evaluations/uploads/add-model';
import { NewModel } from '@/lib/services/evaluations/uploads/model-upload';
import { PREDICT_JOB } from '@/lib/services/inference/predictions';
import { jobHandler } from '@/lib/services/jobs';
import { predictImages } from '@/lib/services/training/loop/predict-images';
import { MAX_SELECTED, selectNext as run, SELECT_JOB } from '@/lib/services/training/loop/select-next';
import { Author } from './author';

/** One at a time: a model that is tried uses the processors as an evaluation does. */
export const addUploadedModel = jobHandler({
  kind: ADD_MODEL_JOB,
  input: z.object({ id: z.uuid(), projectId: z.uuid(), author: Author, model: NewModel }),
  atOnce: 1,
  run: (context, input) => addModel(context, input),
});

/** One at a time: an evaluation uses the processors as training does. */
export const evaluateModel = jobHandler({
  kind: EVALUATE_JOB,
  input: z.object({ evaluationId: z.uuid() }),
  atOnce: 1,
  run: (context, input) => runEvaluation(context, input),
});

/** One at a time: a model fills the cores, and two jobs would look at the same images. */
export const predict = jobHandler({
  kind: PREDICT_JOB,
  input: z.object({ projectId: z.uuid() }),
  atOnce: 1,
  run: predictImages,
});

export const selectNext = jobHandler({
  kind: SELECT_JOB,
  input: z.object({
    projectId: z.uuid(),
    stageId: z.uuid(),
    count: z.number().int().min(1).max(MAX_SELECTED),
    author: Author,
  }),
  run,
});

/** One at a time: it uses the processors as an evaluation does. */
export const transferPictures = jobHandler({
  kind: TRANSFER_JOB,
  input: z.object({ projectId: z.uuid(), evaluationIds: z.array(z.uuid()).min(2).max(MAX_MODELS) }),
  atOnce: 1,
  run: (context, input) => runTransfer(context, input),
});

export const askOracle = jobHandler({
  kind: ORACLE_JOB,
  input: z.object({ evaluationId: z.uuid() }),
  run: (context, input) => resumeEvaluation(context, input),
});
