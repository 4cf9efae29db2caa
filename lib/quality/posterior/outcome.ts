import type { AnswerValue } from '../answer';

export type WeighedAnswer = {
  workerId: string;
  /** From `accuracyOf`. */
  accuracy: number;
  value: AnswerValue;
  mask: string | null;
};

/** What the answers to an item come to. */
export type Outcome = {
  value: AnswerValue;
  mask: string | null;
  confidence: number;
  /** The chance of each attribute or class, or that something is there and where. */
  posteriors: Record<string, number>;
  /** Workers whose answer stands behind the outcome; none when it is a combination that nobody gave. */
  supporters: string[];
};
