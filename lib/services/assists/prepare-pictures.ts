import type { Database } from '@/db';
import { readConfig } from '@/lib/config';
import type { UserActor } from '@/lib/services/access';
import {
  assistEngine,
  type EnginePicture,
  type EngineUser,
} from '@/lib/services/inference/assists/assist-engine';
import type { Rank } from '@/lib/services/inference/assists/fair-queue';
import { findModels, installCommand, type Models } from '@/lib/services/inference/assists/model-files';
import type { LivePrompt } from '@/lib/services/inference/assists/prompt';
import { log } from '@/lib/services/observability/log';
import { type AssistPlace, findNextPictures, findPicture } from './find-picture';

export interface AssistsThere {
  /** Prompts that an installed model answers. */
  prompts: LivePrompt['kind'][];
  /** Whether the picture is encoded. Null where no model needs that. */
  picture: 'ready' | 'preparing' | null;
  /** Where there are no tools: what to do about it. */
  notice: string | null;
}

/** Images encoded when a batch is taken, and images encoded ahead of the one that is open. */
const FIRST = 2;
const AHEAD = 2;

/**
 * Which smart tools a place has. The picture is encoded if it is not yet, so that the first click does not wait for it;
 * then the next ones of the batch, after everything that somebody waits for.
 */
export async function prepareAssist(
  db: Database,
  actor: UserActor,
  { place }: { place: AssistPlace },
): Promise<AssistsThere> {
  const { user, picture } = await findPicture(db, actor, place);
  const models = findModels(readConfig());
  const model = models.segmentAnything;
  const prompts = promptsOf(models);
  const notice = prompts.length > 0 ? null : noticeOf(place);
  if (!model) return { prompts, picture: null, notice };
  const isReady = await assistEngine().isReady({ user, model, picture });
  if (!isReady) prepareSoon(user, model, [picture], 1);
  if (place.kind === 'lease')
    prepareSoon(user, model, await findNextPictures(db, actor, { leaseId: place.leaseId }, AHEAD), 2);
  return { prompts, picture: isReady ? 'ready' : 'preparing', notice };
}

/** Workers cannot install anything and are never shown the tools; curators read how to get them. */
const noticeOf = ({ kind }: AssistPlace): string =>
  kind === 'lease'
    ? 'Smart object is not available in this project. Use another tool.'
    : `Smart object is off: it turns a box or a click into an outline. To switch it on, run \`${installCommand}\` on the server.`;

/** Encodes the first images of a batch that was just taken. Never fails: nobody waits for it. */
export async function prepareBatch(db: Database, actor: UserActor, batchId: string): Promise<void> {
  try {
    const model = findModels(readConfig()).segmentAnything;
    if (!model) return;
    const user = { id: actor.userId, isVeiled: true };
    prepareSoon(user, model, await findNextPictures(db, actor, { batchId }, FIRST), 1);
  } catch (error) {
    log.warn({ err: error }, 'the images of a batch were not prepared for the smart tools');
  }
}

function prepareSoon(
  user: EngineUser,
  model: NonNullable<Models['segmentAnything']>,
  pictures: readonly EnginePicture[],
  rank: Rank,
): void {
  for (const picture of pictures)
    assistEngine()
      .prepare({ user, model, picture, rank })
      .catch((error) => log.warn({ err: error }, 'a picture was not prepared for the smart tools'));
}

/** Whether any model for the smart object tool is installed. */
export const hasSmartTools = (): boolean => promptsOf(findModels(readConfig())).length > 0;

function promptsOf({ segmentAnything, salientObject }: Models): LivePrompt['kind'][] {
  return [
    ...(segmentAnything ? (['point', 'box', 'scribble'] as const) : []),
    ...(salientObject ? (['main-object'] as const) : []),
  ];
}
