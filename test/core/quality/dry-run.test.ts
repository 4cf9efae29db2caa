import { describe, expect, it } from 'vitest';
import { dryRun } from '@/lib/core/quality/judge';
import { defaultRules, rival10Rules } from '@/lib/core/quality/rules';
import { action, answers, check, history, iouChecks, minute } from './histories';

/** 100 answers, one a minute; every tenth of them is a check, passed or failed as told. */
function career(outcomes: string) {
  return {
    ...history({
      answers: answers(Array.from({ length: 100 }, () => ({}))),
      checks: [...outcomes].map((outcome, i) =>
        check(i, { passed: outcome === '+', at: minute(10 * i + 9) }),
      ),
    }),
    workerId: 'worker',
  };
}

describe('a dry run of rules on history', () => {
  it('finds nothing in the past of a good worker', () => {
    expect(dryRun([career('++++-+++++')], defaultRules)).toMatchObject([
      { steps: [], stop: null, answersAfterStop: 0, history: { workerId: 'worker' } },
    ]);
  });

  it('tells when a worker would have been stopped, and what would not have been done', () => {
    const [run] = dryRun([career('----------')], defaultRules);
    expect(run?.steps.map(({ judgement }) => judgement.verdict)).toEqual(['pause']);
    expect(run?.stop).toMatchObject({ at: minute(39), answersDone: 40, checksDone: 4 });
    expect(run?.answersAfterStop).toBe(60);
  });

  it('does not count what was decided in fact', () => {
    const past = {
      ...career('----------'),
      state: 'ended' as const,
      since: minute(99),
      actions: [action('end', 50)],
    };
    expect(dryRun([past], defaultRules)[0]?.stop).toEqual(
      dryRun([career('----------')], defaultRules)[0]?.stop,
    );
  });

  it('took a finished refresher for a fresh start, and never paused anybody on weak evidence', () => {
    const work = answers(
      Array.from({ length: 600 }, (_, i) => ({ activeMs: 500, imageId: `i-${i}`, shapesHash: `s-${i}` })),
    );
    const oneFailurePerBatch = Array.from({ length: 90 }, (_, i) =>
      check(i, { passed: i % 3 !== 2, at: minute(20 * Math.floor(i / 3) + (i % 3)) }),
    );
    const hasty = history({
      answers: work,
      checks: oneFailurePerBatch,
      pool: { medianMs: 30_000, fifthMs: 12_000 },
    });
    const [run] = dryRun([hasty], defaultRules);
    expect(run?.steps.map(({ judgement }) => judgement.verdict)).toEqual(['hint', 'refresher', 'pause']);
    expect(run?.stop?.judgement.verdict).toBe('pause');
  });

  it('compares rules: the plain average speaks later', () => {
    const loose = {
      ...career(''),
      checks: iouChecks(Array(12).fill(0.5)).map((each, i) => ({ ...each, at: minute(8 * i) })),
    };
    const [ours] = dryRun([loose], defaultRules);
    const [paper] = dryRun([loose], rival10Rules);
    expect(ours?.stop?.checksDone).toBeLessThan(paper?.stop?.checksDone ?? 0);
  });

  it('has nothing to tell of nobody', () => {
    expect(dryRun([], defaultRules)).toEqual([]);
    expect(dryRun([history()], defaultRules)[0]?.steps).toEqual([]);
  });
});
