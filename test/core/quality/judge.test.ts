import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { WorkerHistory } from '@/lib/core/quality/history';
import { dryRun, judge } from '@/lib/core/quality/judge';
import { defaultRules, ladder, rival10Rules, rules } from '@/lib/core/quality/rules';
import { action, answers, check, checks, history, hitChecks, iouChecks, minute } from './histories';

const failedChecks = [{ id: 'failed-checks', params: {} }];

const judgeChecks = (outcomes: string, given: Partial<WorkerHistory> = {}) =>
  judge(history({ checks: checks(outcomes), ...given }), failedChecks);

describe('the ladder', () => {
  it('leaves somebody alone who misses a single check', () => {
    expect(judgeChecks('-')).toBeNull();
    expect(judgeChecks('++++-')).toBeNull();
  });

  it('begins with a hint, with the reason and what it means', () => {
    expect(judgeChecks('--')).toBeNull();
    expect(judgeChecks('---')).toEqual({
      verdict: 'hint',
      target: null,
      rule: 'failed-checks',
      ruleVersion: 2,
      reason:
        'Several of your answers differ from those of trusted people more than careful answers do. ' +
        'Nothing changes for now. Please read the guide again.',
      evidence: ['check-0', 'check-1', 'check-2'],
    });
  });

  it('says nothing again about what it has spoken of already', () => {
    expect(judgeChecks('---', { actions: [action('hint', 5)] })).toBeNull();
    expect(judgeChecks('---+', { actions: [action('hint', 2)] })).toBeNull();
  });

  it('goes on to a refresher when new evidence comes after the hint', () => {
    expect(judgeChecks('---++-', { actions: [action('hint', 2)] })?.verdict).toBe('refresher');
  });

  it('never pauses on weak evidence from checks, but adds it up over refreshers', () => {
    const actions = [action('hint', 2), action('refresher', 5), action('refreshed', 5)];
    expect(judgeChecks('---++-+-', { actions })).toBeNull();
    expect(judgeChecks('---++-+---', { actions })?.verdict).toBe('pause');
    // Evidence that began again at the refresher would not be enough.
    expect(judgeChecks('+---')?.verdict).not.toBe('pause');
  });

  it('skips to the pause on strong evidence, and says who will look at it', () => {
    const judgement = judgeChecks('----');
    expect(judgement?.verdict).toBe('pause');
    expect(judgement?.reason).toContain('until a person has looked at it');
  });

  it('ends with pay when strong evidence comes back after a pause', () => {
    const actions = [action('pause', 3), action('resume', 4)];
    const judgement = judgeChecks('-----+-----', { actions, since: minute(4) });
    expect(judgement?.verdict).toBe('end');
    expect(judgement?.reason).toContain('All your work is paid');
  });

  it('starts with a hint again after a pause was lifted', () => {
    const actions = [action('pause', 3), action('resume', 4)];
    expect(judgeChecks('--------', { actions, since: minute(5) })?.verdict).toBe('hint');
  });

  it('forgives earlier steps after eight passed checks in a row', () => {
    const good = '+'.repeat(8);
    const paused = { actions: [action('pause', 3), action('resume', 3)], since: minute(4) };
    expect(judgeChecks(`----${good}--------`, paused)?.verdict).toBe('pause');
    expect(judgeChecks(`----+--------`, paused)?.verdict).toBe('end');
  });

  it('has nothing to say to those who do not work', () => {
    for (const state of ['refresher', 'paused', 'ended'] as const)
      expect(judgeChecks('------', { state })).toBeNull();
  });

  it('does not hold against somebody what lies before the fresh start', () => {
    expect(judgeChecks('---+', { since: minute(3) })).toBeNull();
  });
});

describe('several rules', () => {
  const clicks = Array.from({ length: 20 }, () => ({ activeMs: 500 }));
  const pool = { medianMs: 30_000, fifthMs: 12_000 };

  it('lead to the farthest step that any of them asks for', () => {
    const given = history({ answers: answers(clicks), checks: checks('----'), pool });
    expect(judge(given, defaultRules)).toMatchObject({ verdict: 'pause', rule: 'failed-checks' });
  });

  it('do not depend on the order in which they are listed', () => {
    const given = history({ answers: answers(clicks), checks: checks('---'), pool });
    const tooFast = { id: 'too-fast', params: {} };
    expect(judge(given, [tooFast, ...failedChecks])?.rule).toBe('failed-checks');
    expect(judge(given, [...failedChecks, tooFast])?.rule).toBe('failed-checks');
  });

  it('never end somebody by a signal that is not from checks', () => {
    const pasted = answers(Array.from({ length: 6 }, () => ({ shapesHash: 'same' })));
    const actions = [action('pause', 1), action('resume', 2)];
    expect(judge(history({ answers: pasted, actions }), defaultRules)).toMatchObject({
      verdict: 'pause',
      rule: 'pasted-shapes',
    });
  });

  it('refuse a rule that there is not', () => {
    expect(() => judge(history(), [{ id: 'mood', params: {} }])).toThrow('There is no rule "mood".');
  });
});

/** Any worker: checks that pass or fail with scores, answers of any speed, any steps taken before. */
const anyHistory = fc
  .record({
    outcomes: fc.array(fc.tuple(fc.nat(5), fc.nat(5), fc.nat(5), fc.boolean()), { maxLength: 25 }),
    speeds: fc.array(fc.record({ activeMs: fc.nat(60_000), vertices: fc.integer({ min: 3, max: 9 }) }), {
      maxLength: 40,
    }),
    actions: fc.array(fc.constantFrom('hint', 'refresher', 'refreshed', 'pause', 'resume'), { maxLength: 4 }),
    since: fc.nat(20),
  })
  .map(({ outcomes, speeds, actions, since }) =>
    history({
      checks: hitChecks(outcomes.map(([right, wrong, missed]) => [right + 1, wrong, missed])).map(
        (each, i) => ({
          ...each,
          passed: outcomes[i]?.[3] ?? true,
        }),
      ),
      answers: answers(speeds),
      actions: actions.map((verdict, i) => action(verdict, 5 * i)),
      since: minute(since),
      pool: { medianMs: 30_000, fifthMs: 12_000 },
    }),
  );

describe('every judgement', () => {
  it('names evidence that exists, is not all old, and never rests on a single slip beyond a hint', () => {
    fc.assert(
      fc.property(anyHistory, (given) => {
        const judgement = judge(given, defaultRules);
        if (!judgement) return;
        const known = [...given.checks, ...given.answers].filter(({ id }) => judgement.evidence.includes(id));
        expect(known).toHaveLength(judgement.evidence.length);
        expect(known.every(({ at }) => at >= given.since)).toBe(true);
        const last = given.actions.at(-1)?.at;
        if (last) expect(known.some(({ at }) => at > last)).toBe(true);
        if (judgement.evidence.length < 2) expect(judgement.verdict).toBe('hint');
      }),
      { numRuns: 300 },
    );
  });

  it('stays within what its rule may do, and tells no id', () => {
    fc.assert(
      fc.property(anyHistory, (given) => {
        const judgement = judge(given, defaultRules);
        if (!judgement) return;
        const rule = rules.find(({ id }) => id === judgement.rule);
        expect(ladder.indexOf(judgement.verdict)).toBeLessThanOrEqual(ladder.indexOf(rule?.atMost ?? 'hint'));
        expect(judgement.reason).not.toMatch(/check|gold|answer-|item-|image-/);
      }),
      { numRuns: 300 },
    );
  });
});

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
