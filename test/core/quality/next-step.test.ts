import { describe, expect, it } from 'vitest';
import { statedError } from '@/lib/core/quality/interval';
import { judge } from '@/lib/core/quality/judge';
import { explainEvidence } from '@/lib/core/quality/next-step';
import { defaultRules } from '@/lib/core/quality/rules';
import { action, checks, history, minute } from './histories';

const failedChecks = [{ id: 'failed-checks', params: {} }];

const explained = (outcomes: string, given = {}) =>
  explainEvidence(history({ checks: checks(outcomes), ...given }), failedChecks).find(
    ({ rule }) => rule === 'failed-checks',
  );

describe('the explanation of the evidence', () => {
  it('says how many failures in a row lead to which step, and that is what happens', () => {
    for (const outcomes of ['', '++', '++-+', '-+-++-', '++++++++++++']) {
      const { failuresToLimit, atLimit } = explained(outcomes) ?? {};
      const worse = `${outcomes}${'-'.repeat(failuresToLimit ?? 0)}`;
      expect(judge(history({ checks: checks(worse) }), failedChecks)?.verdict).toBe(atLimit);
      const oneLess = judge(history({ checks: checks(worse.slice(0, -1)) }), failedChecks);
      expect(oneLess?.verdict).not.toBe('pause');
    }
  });

  it('says that the end follows after an earlier pause', () => {
    const actions = [action('pause', 1), action('resume', 2)];
    expect(explained('--+', { actions, since: minute(2) })?.atLimit).toBe('end');
  });

  it('tells the rules in force from the others', () => {
    const all = explainEvidence(history({ checks: checks('+-') }), failedChecks);
    expect(all.filter(({ isInForce }) => isInForce).map(({ rule }) => rule)).toEqual(['failed-checks']);
    expect(all.length).toBeGreaterThan(1);
  });
});

describe('the stated probability to stop a good worker', () => {
  it('is the sum over the rules that can stop anybody, at most 2% by default', () => {
    expect(statedError(failedChecks)).toBe(0.01);
    expect(statedError(defaultRules)).toBeCloseTo(0.017, 9);
    expect(statedError([{ id: 'too-fast', params: {} }])).toBe(0);
    expect(statedError([...failedChecks, { id: 'average-below-bar', params: {} }])).toBeNull();
  });
});
