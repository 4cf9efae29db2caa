import type { Database } from '@/db';
import { readConfig } from '@/lib/config';
import { TesseraError } from '@/lib/core/errors';
import type { UserActor } from '@/lib/services/access';
import { findModels } from '@/lib/services/inference/assists/model-files';
import { modelProcess } from '@/lib/services/inference/assists/model-process';
import type { AssistPrompt } from '@/lib/services/inference/assists/prompt';
import { findPicture, readPicture } from './find-picture';
import { modelOutline } from './model-outline';
import { requirePace } from './pace';
import { noticeOf } from './prepare-assist';

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
  if (!wanted)
    throw new TesseraError('unavailable', noticeOf(models) ?? 'The model is missing.', {
      code: 'smartUnavailable',
    });
  await requirePace(db, actor);
  const { prompt } = input;
  const question = { models, picture: await readPicture(picture), prompt };
  const { counts, model, ms } = await modelProcess().ask(question);
  if (counts === null) throw new Error('A prompt is answered with a mask.');
  return { counts, size: [picture.size.height, picture.size.width], ms: Math.round(ms), model };
}
