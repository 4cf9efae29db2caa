import type { Database } from '@/db';
import { TesseraError } from '@/lib/core/errors';
import { type Actor, authorise } from '@/lib/services/access';
import { decideLabel, type Verdict } from './decide-label';

export type ManyDecisions = Exclude<Verdict, { verdict: 'corrected' }> & {
  projectId: string;
  labels: readonly { labelId: string; decisionId: string }[];
};

export type ManyDecided = { labelId: string; decisionId: string | null; problem: string | null }[];

/** The same decision about many labels, each by itself: one that cannot be decided does not stop the others. */
export async function decideLabels(db: Database, actor: Actor, input: ManyDecisions): Promise<ManyDecided> {
  const { labels, ...rest } = input;
  await authorise(db, actor, 'audit.decide', { project: input.projectId });
  const decided: ManyDecided = [];
  for (const { labelId, decisionId } of labels) {
    try {
      await decideLabel(db, actor, { ...rest, labelId, decisionId });
      decided.push({ labelId, decisionId, problem: null });
    } catch (error) {
      if (!(error instanceof TesseraError)) throw error;
      decided.push({ labelId, decisionId: null, problem: error.message });
    }
  }
  return decided;
}
