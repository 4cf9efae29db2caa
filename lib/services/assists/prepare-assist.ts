import type { Database } from '@/db';
import { readConfig } from '@/lib/config';
import type { UserActor } from '@/lib/services/access';
import { findModels, type Models } from '@/lib/services/inference/assists/model-files';
import { modelProcess } from '@/lib/services/inference/assists/model-process';
import type { LivePrompt } from '@/lib/services/inference/assists/prompt';
import { log } from '@/lib/services/observability/log';
import { findPicture, readPicture } from './find-picture';
import { requirePace } from './pace';

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
  const prompts = promptsOf(models);
  // What is missing is told only where nothing is there: the page offers what there is.
  return { prompts, notice: prompts.length > 0 ? null : noticeOf(models) };
}

/** Whether any model for the smart object tool is installed. */
export const hasSmartTools = (): boolean => promptsOf(findModels(readConfig())).length > 0;

function promptsOf({ segmentAnything, salientObject }: Models): LivePrompt['kind'][] {
  return [
    ...(segmentAnything ? (['point', 'box'] as const) : []),
    ...(salientObject ? (['main-object'] as const) : []),
  ];
}

/** For workers, who cannot install anything; the operator finds the command in docs/annotator.md. */
export function noticeOf({ segmentAnything, salientObject }: Models): string | null {
  if (segmentAnything && salientObject) return null;
  const what = segmentAnything ? 'Main object' : salientObject ? 'Click and box' : 'Smart object';
  return `${what} is not available in this project. Use another tool.`;
}
