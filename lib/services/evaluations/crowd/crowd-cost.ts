import { mostQuestions } from '@/lib/core/robustness/fmr/bisect';
import type { CrowdStage } from '@/lib/services/crowd/overview/crowd-stages';
import { priceOf } from '@/lib/services/crowd/overview/try-rules';

export interface CrowdCost {
  images: number;
  /** At most: an image whose first picture nobody recognises is asked about twice only. */
  questions: number;
  /** People per question. */
  people: number;
  costMicro: bigint;
  currency: string;
}

/** What asking people about chains of this length costs at most. */
export function crowdCost(
  stage: Pick<CrowdStage, 'kind' | 'policy'>,
  images: number,
  length: number,
): CrowdCost {
  const { overlap, pay } = stage.policy;
  const questions = images * (1 + mostQuestions(length));
  return {
    images,
    questions,
    people: overlap,
    costMicro: priceOf(stage, questions * overlap),
    currency: pay.currency,
  };
}
