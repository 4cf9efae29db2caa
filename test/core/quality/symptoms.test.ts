import { describe, expect, it } from 'vitest';
import type { HistoryAnswer, HistoryCheck } from '@/lib/core/quality/history';
import { afterJudgement, dryRun, isStop, judge } from '@/lib/core/quality/judge';
import { defaultRules } from '@/lib/core/quality/rules';
import { createRng } from '@/lib/demo/scenes/prng';
import { independentParts, liveCareer } from './evidence/careers';
import { answers, check, history, minute } from './histories';

const BATCH = 20;
const pool = { medianMs: 30_000, fifthMs: 12_000 };

/** A batch of answers, of which the first are checks with these outcomes. */
function batchOf(n: number, activeMs: number, outcomes: string) {
  const at = (i: number) => minute(n * BATCH + i);
  const done = answers(Array.from({ length: BATCH }, () => ({ activeMs }))).map(
    (each, i): HistoryAnswer => ({
      ...each,
      id: `a-${n}-${i}`,
      imageId: `i-${n}-${i}`,
      shapesHash: `s-${n}-${i}`,
      at: at(i),
    }),
  );
  const checks = [...outcomes].map(
    (outcome, i): HistoryCheck => check(n * BATCH + i, { passed: outcome === '+', at: at(i) }),
  );
  return { done, checks };
}

describe('weak evidence never stopped anyone', () => {
  it('a worker at half a second per item who fails one check per batch is paused', () => {
    let decided = history({ pool });
    const verdicts: string[] = [];
    for (let n = 0; n < 50 && decided.state === 'active'; n++) {
      const { done, checks } = batchOf(n, 500, '++-');
      decided = {
        ...decided,
        answers: [...decided.answers, ...done],
        checks: [...decided.checks, ...checks],
      };
      const judgement = judge(decided, defaultRules);
      if (!judgement) continue;
      verdicts.push(judgement.verdict);
      decided = afterJudgement(decided, judgement, minute(n * BATCH + BATCH - 0.5));
    }
    expect(verdicts).toEqual(['hint', 'refresher', 'pause']);
    expect(decided.answers.length).toBeLessThan(1000);
  });

  it('a fast worker who passes the checks is hinted, practises, and goes on working', () => {
    const batches = Array.from({ length: 30 }, (_, n) => batchOf(n, 500, '++'));
    const [run] = dryRun(
      [
        history({
          pool,
          answers: batches.flatMap(({ done }) => done),
          checks: batches.flatMap((b) => b.checks),
        }),
      ],
      defaultRules,
    );
    expect(run?.stop).toBeNull();
    expect(run?.steps.map(({ judgement }) => judgement.verdict)).toContain('refresher');
  });
});

describe('a careful worker who misunderstands one part was stopped', () => {
  const rng = createRng(8);
  const lives = Array.from({ length: 20 }, () =>
    liveCareer({
      items: 700,
      shape: independentParts,
      passes: (part) => (part === 'tail' ? 0.05 : 0.96),
      rng,
    }),
  );
  const runs = lives.map((life) => {
    const verdicts: string[] = [];
    let decided = history({ targetCount: life.targetCount });
    for (let done = BATCH; done <= 700 && decided.state === 'active'; done += BATCH) {
      const judgement = judge(
        { ...decided, checks: life.checks.filter(({ at }) => at < minute(done)) },
        defaultRules,
      );
      if (!judgement) continue;
      verdicts.push(`${judgement.verdict} ${judgement.target}`);
      expect(isStop(judgement)).toBe(false);
      decided = afterJudgement(decided, judgement, minute(done - 0.5));
    }
    return verdicts;
  });

  it('now practises that part, is paused for it alone if that does not help, and keeps working', () => {
    for (const verdicts of runs) {
      expect(verdicts).toContain('refresher tail');
      expect(verdicts).toContain('pause tail');
      expect(verdicts.indexOf('refresher tail')).toBeLessThan(verdicts.indexOf('pause tail'));
      expect(verdicts.filter((verdict) => !verdict.endsWith('tail') && verdict !== 'hint null')).toEqual([]);
    }
  });
});

describe('an attribute of a form that is always wrong', () => {
  it('leads to practice on it, twice at most, and to no pause', () => {
    const wrong = Array.from({ length: 60 }, (_, i) =>
      check(i, { score: { level: 0.9, 'right:ears': 1, 'missed:tail': 1 } }),
    );
    let decided = history({ targetCount: 28 });
    const verdicts: string[] = [];
    for (let n = 1; n <= wrong.length; n++) {
      const judgement = judge({ ...decided, checks: wrong.slice(0, n) }, defaultRules);
      if (!judgement) continue;
      verdicts.push(`${judgement.verdict} ${judgement.target}`);
      decided = afterJudgement(decided, judgement, minute(n - 0.5));
    }
    expect(verdicts).toEqual(['refresher tail', 'refresher tail']);
    expect(decided.state).toBe('active');
  });
});
