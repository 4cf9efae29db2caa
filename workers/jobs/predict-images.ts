import { z } from 'zod';
import { jobHandler } from '@/lib/jobs';
import { predictImages } from '@/lib/training/loop/predict-images';
import { PREDICT_JOB } from '@/lib/training/loop/predict-soon';

/** One at a time: a model fills the cores, and two jobs would look at the same images. */
export const predict = jobHandler({
  kind: PREDICT_JOB,
  input: z.object({ projectId: z.uuid() }),
  atOnce: 1,
  run: predictImages,
});
