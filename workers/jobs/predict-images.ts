import { z } from 'zod';
import { PREDICT_JOB } from '@/lib/services/inference/predictions';
import { jobHandler } from '@/lib/services/jobs';
import { predictImages } from '@/lib/services/training/loop/predict-images';

/** One at a time: a model fills the cores, and two jobs would look at the same images. */
export const predict = jobHandler({
  kind: PREDICT_JOB,
  input: z.object({ projectId: z.uuid() }),
  atOnce: 1,
  run: predictImages,
});
