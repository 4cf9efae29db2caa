import type { Database } from '@/db';
import type { UserActor } from '../auth';
import { readConfig } from '../config';
import { TesseraError } from '../errors';
import { findPicture, readPicture } from './find-picture';
import { modelProcess } from './inference/model-process';
import { findModels } from './model-files';
import { modelOutline } from './model-outline';
import { requirePace } from './pace';
import { noticeOf } from './prepare-assist';
import type { AssistPrompt } from './prompt';

export interface SuggestedMask {
  /** Compressed COCO counts of the upright image; a mask without pixels when nothing was found. */
  counts: string;
  /** Height, width. */
  size: [number, number];
  /** Time of the models alone. */
  ms: number;
  model: string;
}

/** What a model takes for the object that the prompt shows, on the picture of the worker's own lease. */
export async function suggestMask(
  db: Database,
  actor: UserActor,
  input: { leaseId: string; prompt: AssistPrompt },
): Promise<SuggestedMask> {
  const picture = await findPicture(db, actor, input.leaseId);
  if (input.prompt.kind === 'model-outline') return modelOutline(db, picture, input.leaseId);
  const models = findModels(readConfig());
  const wanted = input.prompt.kind === 'main-object' ? models.salientObject : models.segmentAnything;
  if (!wanted) throw new TesseraError('unavailable', noticeOf(models) ?? 'The model is missing.');
  await requirePace(db, actor);
  const { prompt } = input;
  const question = { models, picture: await readPicture(picture), prompt };
  const { counts, model, ms } = await modelProcess().ask(question);
  if (counts === null) throw new Error('A prompt is answered with a mask.');
  return { counts, size: [picture.size.height, picture.size.width], ms: Math.round(ms), model };
}
