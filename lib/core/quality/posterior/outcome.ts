import type { DatasetSchema } from '@/lib/core/schema';
import type { AnswerValue } from '../answer';
import type { Explanation } from './explanation';
import type { Reliability } from './reliability';

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
