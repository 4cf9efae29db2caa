import { describe, expect, it } from 'vitest';
import { averageBelowBar, belowBar, belowExpected } from '@/lib/core/quality/rules/below-bar';
import { failedChecks, passRate } from '@/lib/core/quality/rules/failed-checks';
import { check, checks, history, hitChecks, iouChecks } from '../histories';

const times = <T>(n: number, value: T): T[] => Array<T>(n).fill(value);

describe('failed checks', () => {
  const judge = (outcomes: string) => failedChecks.judge(history({ checks: checks(outcomes) }), {});

  it('say nothing about one failure', () => {
    expect(judge('-')).toBeNull();
    expect(judge('+++-')).toBeNull();
  });

  it('lean after three failures in a row, and are strong after four', () => {
    expect(judge('--')).toBeNull();
    expect(judge('---')).toMatchObject({ isStrong: false, evidence: ['check-0', 'check-1', 'check-2'] });
    expect(judge('----')).toMatchObject({ isStrong: true });
  });

  it('need more where the error is shared with other stages', () => {
    const of = (stageCount: number) =>
      failedChecks.judge(history({ checks: checks('----'), stageCount }), {})?.isStrong;
    expect([of(1), of(3)]).toEqual([true, false]);
  });

  it('are outweighed by good work', () => {
    expect(judge('--+++++')).toBeNull();
    expect(judge('+++++++++---')).toBeNull();
  });

  it('do not count where trusted people fail as well', () => {
    const hard = times(4, null).map((_, i) =>
      check(i, { passed: false, score: { level: 0.4 }, expected: 0.42 }),
    );
    expect(failedChecks.judge(history({ checks: hard }), {})).toBeNull();
    const easy = hard.map((each) => ({ ...each, expected: 0.8 }));
    expect(failedChecks.judge(history({ checks: easy }), {})).toMatchObject({ isStrong: true });
  });
});

describe('the pass rate', () => {
  const judge = (outcomes: string, params = {}) =>
    passRate.judge(history({ checks: checks(outcomes) }), params);

  it('speaks at none of three and at one of five', () => {
    expect(judge('--')).toBeNull();
    expect(judge('---')).toMatchObject({ isStrong: true });
    expect(judge('+---')).toMatchObject({ isStrong: true });
    expect(judge('++---')).toBeNull();
    expect(judge('+----')).toMatchObject({ isStrong: true });
  });

  it('believes in a passed exam for longer', () => {
    expect(judge('+----', { priorPassed: 8, priorFailed: 2 })).toBeNull();
  });
});

describe('a score under the bar', () => {
  it('is told with both numbers once the evidence is in', () => {
    const checks = hitChecks([...times(5, [4, 0, 0]), ...times(30, [2, 0, 3])] as [number, number, number][]);
    const finding = belowBar.judge(history({ checks }), {});
    expect(finding?.reason).toBe('Of what is there, you mark 49 %; the bar is 75 %.');
    expect(finding?.isStrong).toBe(true);
    expect(finding?.evidence).toEqual(checks.slice(5).map(({ id }) => id));
  });

  it('is not claimed of a score just under the bar', () => {
    expect(belowBar.judge(history({ checks: hitChecks(times(6, [7, 3, 3])) }), {})).toBeNull();
  });

  it('is weaker evidence after fewer checks', () => {
    expect(belowBar.judge(history({ checks: hitChecks(times(12, [3, 2, 2])) }), {})).toMatchObject({
      isStrong: false,
      reason:
        'Of what you mark, 60 % is there; the bar is 75 %. Of what is there, you mark 60 %; the bar is 75 %.',
    });
  });

  it('is told of outlines as well', () => {
    expect(belowBar.judge(history({ checks: iouChecks(times(20, 0.5)) }), {})).toMatchObject({
      isStrong: true,
      reason: 'Your outlines match by 50 % on average; the bar is 70 %.',
    });
    expect(belowBar.judge(history({ checks: iouChecks(times(20, 0.68)) }), {})).toBeNull();
  });

  it('is measured against the bar of the project', () => {
    const bars = { precision: 0.75, recall: 0.75, iou: 0.4 };
    expect(belowBar.judge(history({ checks: iouChecks(times(8, 0.5)), bars }), {})).toBeNull();
  });
});

describe('the comparison with trusted people on the same items', () => {
  it('does not blame a worker for hard items', () => {
    expect(belowExpected.judge(history({ checks: iouChecks(times(10, 0.45), 0.48) }), {})).toBeNull();
  });

  it('finds the one who is worse on easy items, above the bar or not', () => {
    expect(belowExpected.judge(history({ checks: iouChecks(times(120, 0.71), 0.95) }), {})).toMatchObject({
      isStrong: true,
    });
  });

  it('needs to know what trusted people reach', () => {
    expect(belowExpected.judge(history({ checks: iouChecks(times(8, 0.3)) }), {})).toBeNull();
    expect(belowExpected.judge(history({ checks: iouChecks(times(4, 0.3), 0.9) }), {})).toBeNull();
  });
});

describe('the plain average of RIVAL10', () => {
  const judge = (levels: number[]) => averageBelowBar.judge(history({ checks: iouChecks(levels) }), {});

  it('is looked at once ten checks were seen, and has no notion of chance', () => {
    expect(judge(times(9, 0.1))).toBeNull();
    expect(judge(times(10, 0.69))).toMatchObject({ isStrong: true });
    expect(judge(times(10, 0.7))).toBeNull();
  });

  it('asks for precision and for recall', () => {
    const of = (list: [number, number, number][]) =>
      averageBelowBar.judge(history({ checks: hitChecks(list) }), {});
    expect(of(times(10, [3, 1, 1]))).toBeNull();
    expect(of(times(10, [3, 2, 0]))).not.toBeNull();
    expect(of(times(10, [3, 0, 2]))).not.toBeNull();
  });
});
