import { eq } from 'drizzle-orm';
import { type Database, type Transaction, tables } from '@/db';
import { conflict, invalid, TesseraError } from '@/lib/core/errors';
import type { AnswerValue } from '@/lib/core/quality/answer';
import { type Actor, actorId, authorise } from '@/lib/services/access';
import { record } from '@/lib/services/activity';
import { correctLabel, reopenItem } from './correct-label';
import { type LockedLabel, lockLabel, markReviewed, requireNoGold, requireUnreviewed } from './lock-label';

const { decisions } = tables;

export type Verdict =
  | { verdict: 'accepted' }
  /** The item is asked again of somebody else; the reason is shown to the authors of the label. */
  | { verdict: 'rejected'; reason: string }
  /** The same, with a message: nobody gets an item twice, so its author learns what to do better next time. */
  | { verdict: 'sent-back'; reason: string }
  | { verdict: 'corrected'; value: AnswerValue };

type LabelDecision = Verdict & {
  projectId: string;
  labelId: string;
  /** Made by the client: the same id is the same decision, however often it is sent. */
  decisionId: string;
};

type Decided = {
  decisionId: string;
  /** The label that took the place of a corrected one. */
  newLabelId: string | null;
};

/** A curator decides about one label. Of two who decide at the same time, the second is told. */
export async function decideLabel(db: Database, actor: Actor, decision: LabelDecision): Promise<Decided> {
  await authorise(db, actor, 'audit.decide', { project: decision.projectId });
  const reason = reasonOf(decision);
  return db.transaction(async (tx) => {
    const held = await lockLabel(tx, decision);
    const before = await sameDecision(tx, decision);
    if (before) return before;
    await requireUnreviewed(tx, held);
    if (decision.verdict !== 'accepted') await requireNoGold(tx, held);
    const newLabelId = await act(tx, actor, held, decision, reason);
    await tx.insert(decisions).values({
      id: decision.decisionId,
      projectId: decision.projectId,
      subject: 'label',
      subjectId: held.label.id,
      stageId: held.item.stageId,
      verdict: decision.verdict,
      reason,
      evidence: newLabelId ? [newLabelId] : [],
      decidedBy: actorId(actor),
    });
    await record(tx, {
      actor,
      verb: `label.${verbs[decision.verdict]}`,
      subject: 'label',
      subjectId: held.label.id,
      projectId: decision.projectId,
      detail: { decisionId: decision.decisionId, imageId: held.label.imageId, target: held.label.target },
    });
    return { decisionId: decision.decisionId, newLabelId };
  });
}

const verbs = {
  accepted: 'accept',
  rejected: 'reject',
  'sent-back': 'send-back',
  corrected: 'correct',
} as const;

function reasonOf(decision: Verdict): string {
  if (decision.verdict === 'accepted') return 'Looked at and accepted.';
  if (decision.verdict === 'corrected') return 'Put right by a curator.';
  const reason = decision.reason.trim();
  if (reason === '') throw invalid('Give the reason: the worker is shown it.');
  return reason;
}

/** A repeated send finds what the first one did. */
async function sameDecision(
  tx: Transaction,
  { decisionId, labelId, verdict }: LabelDecision,
): Promise<Decided | null> {
  const [found] = await tx.select().from(decisions).where(eq(decisions.id, decisionId));
  if (!found) return null;
  if (found.subjectId !== labelId || found.verdict !== verdict)
    throw conflict('This decision id is used for something else: make a new one.');
  return { decisionId, newLabelId: found.evidence[0] ?? null };
}

async function act(
  tx: Transaction,
  actor: Actor,
  held: LockedLabel,
  decision: LabelDecision,
  reason: string,
): Promise<string | null> {
  if (decision.verdict === 'corrected') return correctLabel(tx, actor, held, decision.value);
  await markReviewed(tx, held, true);
  if (decision.verdict !== 'accepted')
    await reopenItem(tx, actor, held, { reason, decisionId: decision.decisionId });
  return null;
}

type ManyDecisions = Exclude<Verdict, { verdict: 'corrected' }> & {
  projectId: string;
  labels: readonly { labelId: string; decisionId: string }[];
};

type ManyDecided = { labelId: string; decisionId: string | null; problem: string | null }[];

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
