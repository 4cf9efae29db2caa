import type { Database } from '@/db';
import { actorId } from '@/lib/core/actor';
import { conflict } from '@/lib/core/errors';
import type { AnswerValue } from '@/lib/core/quality/answer';
import { type Actor, authorise } from '@/lib/services/access';
import { record } from '@/lib/services/activity';
import { checkAnswer } from '@/lib/services/crowd/work/check-answer';
import { effectivePolicy } from '@/lib/services/crowd/work/effective-policy';
import { type GoldPlace, goldQuestion } from './gold-question';
import { requireSameSchema, storeGold } from './store-gold';

export interface AuthoredGold extends GoldPlace {
  value: AnswerValue;
  /** The author wants it in use at once; the policy may want a second person first. */
  use: boolean;
}

export interface Authored {
  goldId: string;
  state: 'active' | 'candidate';
}

/** A curator answers a question for good. The mask is drawn anew from the shapes, as for any answer. */
export async function authorGold(db: Database, actor: Actor, input: AuthoredGold): Promise<Authored> {
  await authorise(db, actor, 'gold.write', { project: input.projectId });
  const question = await goldQuestion(db, input);
  const { stage, schema, image } = question;
  if (image.state !== 'active')
    throw conflict('The image is not in use, so nobody would meet this gold item.');
  const { mask } = checkAnswer(
    { stageKind: stage.kind, schema, width: image.width, height: image.height },
    input.value,
  );
  const { twoPeople } = effectivePolicy(question.projectPolicy, stage.policy).gold;
  const isActive = input.use && !twoPeople;
  return db.transaction(async (tx) => {
    const known = {
      projectId: input.projectId,
      stageId: input.stageId,
      imageId: input.imageId,
      target: input.target,
      schemaVersionId: question.schemaVersionId,
      value: input.value,
      mask,
      authorId: actorId(actor),
      isActive,
      reason: 'A curator answered it.',
    };
    await requireSameSchema(tx, known);
    const { goldId } = await storeGold(tx, known);
    await record(tx, {
      actor,
      verb: 'gold.write',
      subject: 'gold',
      subjectId: goldId,
      projectId: input.projectId,
      detail: { image: image.name, target: input.target, state: isActive ? 'active' : 'candidate' },
    });
    return { goldId, state: isActive ? 'active' : 'candidate' };
  });
}
