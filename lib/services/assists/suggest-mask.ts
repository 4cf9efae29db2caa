import { sql } from 'drizzle-orm';
import { type Database, type Db, tables } from '@/db';
import { readConfig } from '@/lib/config';
import { TesseraError } from '@/lib/core/errors';
import type { UserActor } from '@/lib/services/access';
import { consume, type RateRule } from '@/lib/services/access';
import { findModels, type Models } from '@/lib/services/inference/assists/model-files';
import { modelProcess } from '@/lib/services/inference/assists/model-process';
import type { AssistPrompt, LivePrompt } from '@/lib/services/inference/assists/prompt';
import { log } from '@/lib/services/observability/log';
import { findPicture, type LeasedPicture, readPicture } from './find-picture';

const { items, leases, models, predictions, suggestions } = tables;

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
function noticeOf({ segmentAnything, salientObject }: Models): string | null {
  if (segmentAnything && salientObject) return null;
  const what = segmentAnything ? 'Main object' : salientObject ? 'Click and box' : 'Smart object';
  return `${what} is not available in this project. Use another tool.`;
}

/**
 * The promoted model's outline of what a lease asks for, made beforehand. Where it is withheld the answer is the same
 * as where the model has none: who draws cannot tell.
 */
async function modelOutline(db: Db, { size }: LeasedPicture, leaseId: string): Promise<SuggestedMask> {
  const found = await db.execute<{ counts: string; model: string }>(sql`
    select p.masks->>i.target as counts, m.name as model
    from ${leases} l
    join ${items} i on i.id = l.item_id
    join ${suggestions} s on s.lease_id = l.id and s.state = 'shown'
    join ${models} m on m.id = s.model_id and m.state = 'promoted'
    join ${predictions} p on p.model_id = m.id and p.image_id = i.image_id and p.masks ? i.target
    where l.id = ${leaseId}`);
  const [row] = found.rows;
  if (!row)
    throw new TesseraError('unavailable', 'The model has no outline here. Draw it by hand.', {
      code: 'noModelOutline',
    });
  return { counts: row.counts, size: [size.height, size.width], ms: 0, model: row.model.slice(0, 200) };
}

/** A hand that clicks as fast as it can look stays below two a second; each costs the server a core. */
const pace: RateRule = { window: 60, max: 120 };

async function requirePace(db: Database, { userId }: UserActor): Promise<void> {
  const { allowed, retryAfter } = await consume(db, `assist ${userId}`, pace);
  if (allowed) return;
  throw new TesseraError(
    'rate-limited',
    `Too many questions to the smart tools. Wait ${retryAfter} seconds.`,
    { code: 'smartBusy' },
  );
}
