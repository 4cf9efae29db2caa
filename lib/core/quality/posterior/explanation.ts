import { z } from 'zod';
import type { DatasetSchema } from '@/lib/core/schema';
import type { AnswerValue } from '../answer';
import type { Criterion, Reliability } from './reliability';

export type WeighedAnswer = {
  workerId: string;
  value: AnswerValue;
  mask: string | null;
  accuracy: number;
  // Without these the accuracy stands for all of them.
} & Partial<Reliability>;

/** What is known about a stage before its answers are read. */
export type StagePrior = {
  /**
   * How often each attribute is present, by its id; in mask stages, under `present`, how often there is something
   * to draw. An attribute that is missing is taken as equally likely present and absent.
   */
  frequencies: Readonly<Record<string, number>>;
  /** By the id of an attribute group, how many options a form allows. Without it, as many as people gave. */
  groups?: Readonly<Record<string, { min: number; max: number; allowsNone: boolean }>>;
  /** Classes that could be named. */
  classes?: number;
  /** Share of images on which all workers draw wrong in much the same way. */
  sharedError?: number;
};

export const noPrior: StagePrior = { frequencies: {} };

export type Outcome = {
  value: AnswerValue;
  mask: string | null;
  /** Probability that the label is right; of a form, that every attribute of it is. */
  confidence: number;
  /** Probability of the least certain decision in it. Equal to the confidence except for forms. */
  leastCertain: number;
  /** Probability of each attribute or class; of masks, that something is there and that the outline is right. */
  posteriors: Record<string, number>;
  /** Workers who gave this answer; none when nobody gave this combination. */
  supporters: string[];
  explanation: Explanation;
};

/** What the schema says about the questions of a stage. */
export const formRules = ({
  attributeGroups,
  classes,
}: DatasetSchema): Pick<StagePrior, 'groups' | 'classes'> => ({
  groups: Object.fromEntries(
    attributeGroups.map(({ id, min, max, exclusiveNone }) => [id, { min, max, allowsNone: exclusiveNone }]),
  ),
  classes: classes.length,
});

export const reliabilityOf = (answer: WeighedAnswer): Reliability => ({
  accuracy: answer.accuracy,
  sensitivity: answer.sensitivity ?? answer.accuracy,
  specificity: answer.specificity ?? answer.accuracy,
  placement: answer.placement ?? answer.accuracy,
});

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
