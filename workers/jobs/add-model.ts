import { z } from 'zod';
import { ADD_MODEL_JOB, addModel } from '@/lib/services/evaluations/uploads/add-model';
import { NewModel } from '@/lib/services/evaluations/uploads/model-upload';
import { jobHandler } from '@/lib/services/jobs';
import { Author } from './author';

/** One at a time: a model that is tried uses the processors as an evaluation does. */
export const addUploadedModel = jobHandler({
  kind: ADD_MODEL_JOB,
  input: z.object({ id: z.uuid(), projectId: z.uuid(), author: Author, model: NewModel }),
  atOnce: 1,
  run: (context, input) => addModel(context, input),
});
