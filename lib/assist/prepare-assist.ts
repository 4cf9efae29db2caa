import type { Database } from '@/db';
import type { UserActor } from '../auth';
import { readConfig } from '../config';
import { log } from '../log';
import { findPicture, readPicture } from './find-picture';
import { modelProcess } from './inference/model-process';
import { findModels, type Models, switchOn } from './model-files';
import { requirePace } from './pace';
import type { LivePrompt } from './prompt';

export interface AssistsThere {
  /** What may be asked. */
  prompts: LivePrompt['kind'][];
  /** What to tell the person when something is missing. */
  notice: string | null;
}

/**
 * Which assists there are for an item. The encoder begins with its picture at once, so that the first click does
 * not wait for it.
 */
export async function prepareAssist(
  db: Database,
  actor: UserActor,
  input: { leaseId: string },
): Promise<AssistsThere> {
  const picture = await findPicture(db, actor, input.leaseId);
  const models = findModels(readConfig());
  if (models.segmentAnything) {
    await requirePace(db, actor);
    readPicture(picture)
      .then((read) => modelProcess().ask({ models, picture: read, prompt: null }))
      .catch((error) => log.warn({ err: error }, 'a picture was not prepared for the smart tools'));
  }
  return { prompts: promptsOf(models), notice: noticeOf(models) };
}

function promptsOf({ segmentAnything, salientObject }: Models): LivePrompt['kind'][] {
  return [
    ...(segmentAnything ? (['point', 'box'] as const) : []),
    ...(salientObject ? (['main-object'] as const) : []),
  ];
}

/** Said to workers, who can do nothing about it but tell whoever can. */
export function noticeOf({ segmentAnything, salientObject }: Models): string | null {
  if (segmentAnything && salientObject) return null;
  const what = segmentAnything ? 'Main object' : salientObject ? 'Click and box' : 'Smart object';
  return `${what} is not switched on here. Whoever runs this server can do it with: ${switchOn}`;
}
