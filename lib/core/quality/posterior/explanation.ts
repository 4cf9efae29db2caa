import { z } from 'zod';
import type { Criterion } from './votes';

/**
 * Why a label is what it is, for its provenance:
 * - single: there is one answer;
 * - unanimous: all answers agree;
 * - majority: more than half of the answers agree;
 * - trust: the answers of more trusted workers outweigh an equal or larger number of others;
 * - tie: the answers weigh the same, and `tie` says what decided.
 */
export const Explanation = z.object({
  rule: z.enum(['single', 'unanimous', 'majority', 'trust', 'tie']),
  /** What decided a tie: number of votes, how common the answer is in the stage, or a fixed order. */
  tie: z.enum(['votes', 'frequency', 'order']).optional(),
  /** Answers that agree with the label on its most contested decision, and all answers. */
  agree: z.number().int(),
  answers: z.number().int(),
  /** Attributes that were decided by trust or by a tie-break. */
  contested: z.array(z.string()).optional(),
});
export type Explanation = z.infer<typeof Explanation>;

type Decision = { agree: number; answers: number; by: Criterion | null };

/** Explains one decision: how many answers agree with it, and which criterion decided. */
export function explain({ agree, answers, by }: Decision): Explanation {
  if (answers === 1) return { rule: 'single', agree, answers };
  if (agree === answers) return { rule: 'unanimous', agree, answers };
  if (by === 'weight') return { rule: 2 * agree > answers ? 'majority' : 'trust', agree, answers };
  const tie = by === 'votes' ? 'votes' : by === 'probability' ? 'frequency' : 'order';
  return { rule: 'tie', tie, agree, answers };
}

const severity = ['single', 'unanimous', 'majority', 'trust', 'tie'] as const;

/** The explanation of several decisions is that of the most contested one. */
export function explainAll(
  decisions: readonly { id: string; explanation: Explanation }[],
): Explanation | null {
  const ranked = [...decisions].sort(
    (a, b) =>
      severity.indexOf(b.explanation.rule) - severity.indexOf(a.explanation.rule) ||
      a.explanation.agree - b.explanation.agree ||
      (a.id < b.id ? -1 : 1),
  );
  const [first] = ranked;
  if (!first) return null;
  const contested = ranked
    .filter(({ explanation: { rule } }) => rule === 'trust' || rule === 'tie')
    .map(({ id }) => id)
    .sort();
  return { ...first.explanation, ...(contested.length > 0 && { contested }) };
}

const tieWords = {
  votes: 'the answer with more votes was taken',
  frequency: 'the answer that is more common in this stage was taken',
  order: 'a fixed order decided',
} as const;

/** Explains a label to a curator in one sentence; null where its provenance says nothing. */
export function explanationSentence(
  provenance: unknown,
  nameOf: (attribute: string) => string = (id) => id,
): string | null {
  const found = z.object({ explanation: Explanation }).safeParse(provenance);
  if (!found.success) return null;
  const { rule, tie, agree, answers, contested = [] } = found.data.explanation;
  const names = contested.length > 0 ? ` (${contested.map(nameOf).join(', ')})` : '';
  switch (rule) {
    case 'single':
      return 'One worker answered, so nobody has confirmed it.';
    case 'unanimous':
      return `All ${answers} answers agree.`;
    case 'majority':
      return `${agree} of ${answers} answers agree on the most contested point.`;
    case 'trust':
      return `${agree} of ${answers} answers decided${names}, because their workers have a better record.`;
    case 'tie':
      return `The answers weigh the same${names}: ${tieWords[tie ?? 'order']}.`;
  }
}
