import { and, eq, inArray } from 'drizzle-orm';
import { tables } from '@/db';
import { crowdVariant, type Heard } from '@/lib/core/robustness/fmr/crowd-variant';
import type { Planned } from '@/lib/core/robustness/suites';
import type { Sample } from '@/lib/core/robustness/types';
import type { JobContext } from '@/lib/services/jobs';
import { askRound } from './ask-round';
import { pictureOf, stepOf } from './chain-bytes';
import { type Chaining, makeChains } from './make-chains';
import type { ChainState } from './verdicts';

const { evaluations } = tables;

const MOST_BYTES = 512 * 1024 * 1024;

/** What people said about an image; null while they are still being asked. */
export type Hearing = (sample: Sample) => Promise<Heard | null>;

/**
 * Makes the chains of an evaluation and asks people about them. Null while answers are wanted: then the evaluation waits,
 * and whoever hands in the answers has it go on.
 */
export async function askCrowd(
  context: JobContext,
  {
    projectId,
    stageId,
    variants,
    ...chaining
  }: Omit<Chaining, 'variant'> & {
    projectId: string;
    stageId: string;
    /** All of the plan: one of them is what people judge. */
    variants: readonly Planned[];
  },
): Promise<{ hear: Hearing; notes: string[] } | null> {
  const { db } = context;
  const { evaluationId } = chaining;
  const { id } = crowdVariant(chaining.chain);
  const variant = variants.find((each) => each.id === id);
  if (!variant) throw new Error('The plan has nothing that people judge.');
  await makeChains(context, { ...chaining, variant });
  // Before anybody is asked: an answer that comes at once has to find somebody to wake.
  const [waits] = await db
    .update(evaluations)
    .set({ state: 'waiting' })
    .where(
      and(eq(evaluations.id, evaluationId), inArray(evaluations.state, ['queued', 'running', 'waiting'])),
    )
    .returning({ id: evaluations.id });
  // Somebody stopped it meanwhile.
  if (!waits) return null;
  const { chains, left } = await askRound(context, { evaluationId, projectId, stageId });
  if (left > 0) return null;
  const [claimed] = await db
    .update(evaluations)
    .set({ state: 'running' })
    .where(and(eq(evaluations.id, evaluationId), eq(evaluations.state, 'waiting')))
    .returning({ id: evaluations.id });
  return claimed ? { hear: hearing(context, chains), notes: [noteOf(chains)] } : null;
}

function hearing({ storage }: JobContext, chains: readonly ChainState[]): Hearing {
  const bySource = new Map(chains.map((chain) => [chain.source, chain]));
  return async ({ id }) => {
    const chain = bySource.get(id);
    if (!chain || !('last' in chain.next) || chain.isCleanRight === null) return null;
    const at = chain.next.last;
    if (at === null) return { last: null, isCleanRight: chain.isCleanRight };
    const bytes = stepOf(await storage.read(chain.blob, MOST_BYTES), chain, at);
    return { last: { at, picture: pictureOf(bytes, chain) }, isCleanRight: chain.isCleanRight };
  };
}

const noteOf = (chains: readonly ChainState[]): string => {
  const questions = chains.reduce((sum, { asked }) => sum + asked.size, 0);
  return `The oracle of FMR was the crowd: people were asked ${questions} questions about ${chains.length} images, and a picture counts as recognised where more than half of those who saw it named its class.`;
};
