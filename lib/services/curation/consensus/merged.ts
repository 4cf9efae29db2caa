import type { AnswerValue } from '@/lib/core/quality/answer';

/** What the answers to an item come to by a method. */
export interface Merged {
  value: AnswerValue;
  mask: string | null;
  area: number | null;
  /** 0 to 1. */
  confidence: number;
  /** Questions within the item on which the method saw no difference. What is current was kept for them. */
  ties: number;
}
