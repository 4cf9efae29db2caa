import { sql } from 'drizzle-orm';
import { type Database, type Db, tables } from '@/db';
import { readConfig } from '@/lib/config';
import { invalid, TesseraError } from '@/lib/core/errors';
import { decodeCounts } from '@/lib/core/mask';
import type { UserActor } from '@/lib/services/access';
import { consume, type RateRule } from '@/lib/services/access';
import { assistEngine, type SegmentedMasks } from '@/lib/services/inference/assists/assist-engine';
import { findModels } from '@/lib/services/inference/assists/model-files';
import type { AssistPrompt, PlacePrompt } from '@/lib/services/inference/assists/prompt';
import type { Size } from '@/lib/services/inference/assists/tensors';
import { type AssistPlace, findPicture } from './find-picture';

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

export interface SuggestedMasks {
  /** In the order of the prompts, with the model's estimate of the IoU. */
  masks: { counts: string; score: number }[];
  /** Height, width. */
  size: [number, number];
  ms: number;
  model: string;
}

/** What a model takes for the object that the prompt shows, on a picture that the actor can draw on. */
export async function suggestMask(
  db: Database,
  actor: UserActor,
  { place, prompt }: { place: AssistPlace; prompt: AssistPrompt },
): Promise<SuggestedMask> {
  if (prompt.kind === 'model-outline') return modelOutline(db, actor, place);
  if (prompt.kind !== 'main-object') {
    const { masks, ...rest } = await suggestMasks(db, actor, { place, prompts: [prompt] });
    return { ...rest, counts: (masks[0] as { counts: string }).counts };
  }
  const { user, picture } = await findPicture(db, actor, place);
  const { salientObject } = findModels(readConfig());
  if (!salientObject) throw missing('Main object');
  await requirePace(db, actor);
  const found = await assistEngine().findMainObject(user, salientObject, picture);
  const { masks, ...rest } = suggested(found, picture.size);
  return { ...rest, counts: (masks[0] as { counts: string }).counts };
}

/** The masks of several prompts on one picture, in a single call of the model. */
export async function suggestMasks(
  db: Database,
  actor: UserActor,
  { place, prompts }: { place: AssistPlace; prompts: readonly PlacePrompt[] },
): Promise<SuggestedMasks> {
  const { user, picture } = await findPicture(db, actor, place);
  const { segmentAnything: model } = findModels(readConfig());
  if (!model) throw missing('Smart object');
  for (const { mask } of prompts) if (mask !== undefined) requireMask(mask, picture.size);
  await requirePace(db, actor, prompts.length);
  const found = await assistEngine().segment({ user, model, picture, prompts });
  return suggested(found, picture.size);
}

const suggested = ({ masks, model, ms }: SegmentedMasks, { width, height }: Size): SuggestedMasks => ({
  masks,
  size: [height, width],
  ms: Math.round(ms),
  model,
});

/** For workers, who cannot install anything; the operator finds the command in docs/assists.md. */
const missing = (tool: string) =>
  new TesseraError('unavailable', `${tool} is not available in this project. Use another tool.`, {
    code: 'smartUnavailable',
  });

function requireMask(counts: string, { width, height }: Size): void {
  try {
    decodeCounts(counts, height, width);
  } catch {
    throw invalid('The mask of the prompt does not have the size of the image.');
  }
}

/**
 * The promoted model's outline of what a lease asks for, made beforehand. Where it is withheld the answer is the same
 * as where the model has none: who draws cannot tell.
 */
async function modelOutline(db: Db, actor: UserActor, place: AssistPlace): Promise<SuggestedMask> {
  const { size } = (await findPicture(db, actor, place)).picture;
  const row = place.kind === 'lease' ? await readOutline(db, place.leaseId) : undefined;
  if (!row)
    throw new TesseraError('unavailable', 'The model has no outline here. Draw it by hand.', {
      code: 'noModelOutline',
    });
  return { counts: row.counts, size: [size.height, size.width], ms: 0, model: row.model.slice(0, 200) };
}

async function readOutline(db: Db, leaseId: string) {
  const found = await db.execute<{ counts: string; model: string }>(sql`
    select p.masks->>i.target as counts, m.name as model
    from ${leases} l
    join ${items} i on i.id = l.item_id
    join ${suggestions} s on s.lease_id = l.id and s.state = 'shown'
    join ${models} m on m.id = s.model_id and m.state = 'promoted'
    join ${predictions} p on p.model_id = m.id and p.image_id = i.image_id and p.masks ? i.target
    where l.id = ${leaseId}`);
  return found.rows[0];
}

/** A hand that clicks as fast as it can look stays below two a second; each costs the server a core. */
const pace: RateRule = { window: 60, max: 120 };
/** Of several prompts at once. */
const paceOfMany: RateRule = { window: 60, max: 20 };

async function requirePace(db: Database, { userId }: UserActor, prompts = 1): Promise<void> {
  const { allowed, retryAfter } = await (prompts === 1
    ? consume(db, `assist ${userId}`, pace)
    : consume(db, `assists ${userId}`, paceOfMany));
  if (allowed) return;
  throw new TesseraError(
    'rate-limited',
    `Too many questions to the smart tools. Wait ${retryAfter} seconds.`,
    { code: 'smartBusy' },
  );
}
