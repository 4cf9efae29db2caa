import { describe, expect, it } from 'vitest';
import { answerLimits, confirms, explainConfirmation } from '@/lib/core/quality/confirmation';
import { defaultPolicy } from '@/lib/core/quality/policy';
import { rival10Policy } from '@/lib/core/quality/rival10';
import { defaultRules } from '@/lib/core/quality/rules';
import { answers, checks, history } from './histories';

const explain = (given: Partial<Parameters<typeof explainConfirmation>[1]> = {}, policy = defaultPolicy) =>
  explainConfirmation(policy, {
    stageKind: 'attributes',
    accuracy: 0.95,
    history: history({ checks: checks('+++') }),
    rules: defaultRules,
    ...given,
  });

describe('second answers', () => {
  it('are needed when the estimated accuracy is below the minimum of the stage kind', () => {
    const { minFormAccuracy, minMaskAccuracy } = defaultPolicy.confirmation;
    expect(explain({ accuracy: 0.83 })).toMatchObject({ isNeeded: true, minimum: minFormAccuracy });
    expect(explain({ accuracy: 0.85 }).isNeeded).toBe(false);
    const masks = { stageKind: 'part-mask' as const };
    expect(explain({ ...masks, accuracy: 0.5 })).toMatchObject({ isNeeded: true, minimum: minMaskAccuracy });
    expect(explain({ ...masks, accuracy: 0.6 }).isNeeded).toBe(false);
  });

  it('are not needed because of accuracy before three checks', () => {
    const accuracy = 0.1;
    expect(explain({ accuracy, history: history({ checks: checks('--') }) }).isNeeded).toBe(false);
    expect(explain({ accuracy, history: history({ checks: checks('---') }) }).isNeeded).toBe(true);
  });

  it('are needed when a rule about behaviour objects, and name the rule', () => {
    const list = Array.from({ length: 40 }, () => ({ kind: 'nothing' as const, activeMs: 900 }));
    const found = explain({ stageKind: 'part-mask', history: history({ answers: answers(list) }) });
    expect(found).toMatchObject({ isNeeded: true, isInaccurate: false });
    expect(found.objections).toContain('always-nothing');
  });

  it('are never needed for people who serve as an oracle, or when the policy turns them off', () => {
    const accuracy = 0.1;
    expect(explain({ stageKind: 'oracle', accuracy }).isNeeded).toBe(false);
    expect(confirms(rival10Policy)).toBe(false);
    expect(explain({ accuracy }, rival10Policy).isNeeded).toBe(false);
  });

  it('raise the maximum number of answers only for items that have several', () => {
    const { maxAnswers, confidence } = defaultPolicy.confirmation;
    expect(answerLimits(defaultPolicy, 1)).toEqual({ maxOverlap: 1, confidence: defaultPolicy.confidence });
    expect(answerLimits(defaultPolicy, 2)).toEqual({ maxOverlap: maxAnswers, confidence });
    const overlapping = { ...defaultPolicy, maxOverlap: 5 };
    expect(answerLimits(overlapping, 2)).toEqual({ maxOverlap: 5, confidence: defaultPolicy.confidence });
    expect(answerLimits(rival10Policy, 2)).toEqual({ maxOverlap: 1, confidence: rival10Policy.confidence });
  });
});
