import type { Database } from '@/db';
import type { Actor } from '@/lib/services/access';
import { payFor } from '../work/pay-for';
import { crowdStage } from './crowd-stage';
import { type Doubted, workInDoubt } from './work-in-doubt';

export interface AskingAgain {
  /** The check after which the work is in doubt; null for all of it. */
  since: Date | null;
  answers: number;
  /** What the same number of answers by others costs, in millionths. */
  amountMicro: bigint;
  currency: string;
}

/** What asking again would cost, before anybody decides to. */
export async function costOfAskingAgain(db: Database, actor: Actor, about: Doubted): Promise<AskingAgain> {
  const { stageKind, policy } = await crowdStage(db, actor, 'crowd.read', about.stageId);
  const { since, answers } = await workInDoubt(db, about);
  const amountMicro = payFor(policy, {
    stageKind,
    kind: 'work',
    answered: answers.length,
    size: answers.length,
  });
  return { since, answers: answers.length, amountMicro, currency: policy.pay.currency };
}
