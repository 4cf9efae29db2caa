import { describe, expect, it } from 'vitest';
import { planChecks } from '@/lib/core/quality/check-rate';
import { barsOf, type HistoryCheck } from '@/lib/core/quality/history';
import { afterJudgement, isStop, judge } from '@/lib/core/quality/judge';
import { defaultPolicy, type Policy } from '@/lib/core/quality/policy';
import { rival10Policy } from '@/lib/core/quality/rival10';
import { defaultRules, type RuleSetting, rival10Rules } from '@/lib/core/quality/rules';
import { type Scored, scoreCheck } from '@/lib/core/quality/score-check';
import { suspicionOf } from '@/lib/core/quality/sequential';
import { createRng, type Rng } from '@/lib/demo/scenes/prng';
import { history, minute } from './histories';

/** Chance to see what is there, and not to mark what is not, at the n-th item. */
type Skill = (itemsDone: number) => number;

const CAREER = 700;
const BATCH = 20;
const RUNS = 50;

const attributes = (ids: string[]): Scored => ({
  value: { kind: 'attributes', choices: { all: ids } },
  mask: null,
});

/** An image with two to seven attributes, as the worker sees it. */
function answerCheck(skill: number, policy: Policy, rng: Rng) {
  const truth = Array.from({ length: rng.integer(2, 7) }, (_, i) => `there-${i}`);
  const marked = truth.flatMap((id, i) => [
    ...(rng.bernoulli(skill) ? [id] : []),
    ...(rng.bernoulli(1 - skill) ? [`made-up-${i}`] : []),
  ]);
  const [answer, gold] = [attributes(marked), attributes(truth)];
  return scoreCheck({ stageKind: 'attributes', answer, gold, height: 1, width: 1, policy });
}

/** A worker's life in a stage: batches with hidden checks, rules after each, refreshers that change nothing. */
function live(skill: Skill, policy: Policy, rules: readonly RuleSetting[], rng: Rng) {
  const checks: HistoryCheck[] = [];
  let decided = history({ bars: barsOf(policy), targetCount: 28 });
  for (let itemsDone = BATCH; itemsDone <= CAREER; itemsDone += BATCH) {
    const outcomes = checks.map(({ passed }) => passed);
    const seen = { itemsDone: itemsDone - BATCH, evidence: suspicionOf(outcomes) };
    const count = planChecks(policy, seen, Array(BATCH).fill(1), () => rng.next());
    for (let i = 0; i < count; i++) {
      const scored = answerCheck(skill(itemsDone), policy, rng);
      const id = `check-${checks.length}`;
      checks.push({
        id,
        goldId: id,
        imageId: id,
        target: '',
        at: minute(itemsDone - 1),
        expected: null,
        model: null,
        ...scored,
      });
    }
    const judgement = judge({ ...decided, checks }, rules);
    if (!judgement) continue;
    decided = afterJudgement(decided, judgement, minute(itemsDone));
    if (isStop(judgement)) return { isStopped: true, itemsDone };
  }
  return { isStopped: false, itemsDone: CAREER };
}

function liveMany(skill: Skill, policy: Policy, rules: readonly RuleSetting[]) {
  const rng = createRng(17);
  const lives = Array.from({ length: RUNS }, () => live(skill, policy, rules, rng));
  return {
    stopped: lives.filter(({ isStopped }) => isStopped).length / RUNS,
    items: lives.reduce((sum, { itemsDone }) => sum + itemsDone, 0) / RUNS,
  };
}

const ours = (skill: Skill) => liveMany(skill, defaultPolicy, defaultRules);
const paper = (skill: Skill) => liveMany(skill, rival10Policy, rival10Rules);

const careful: Skill = () => 0.92;
/** Precision and recall of RIVAL10's workers: 0.81 and 0.84. */
const average: Skill = () => 0.82;
const sloppy: Skill = () => 0.55;
const spammer: Skill = () => 0.25;
const turning: Skill = (itemsDone) => (itemsDone <= 100 ? 0.92 : 0.25);

describe('the usual rules, checks and ladder, over 700 items', () => {
  it('do not stop careful and average people', () => {
    expect(ours(careful).stopped).toBe(0);
    expect(ours(average).stopped).toBeLessThanOrEqual(0.03);
  });

  it('stop a spammer within the first two batches', () => {
    const { stopped, items } = ours(spammer);
    expect(stopped).toBe(1);
    expect(items).toBeLessThanOrEqual(40);
  });

  it('stop the sloppy, and the one who turns bad after a hundred items', () => {
    const [slow, late] = [ours(sloppy), ours(turning)];
    expect([slow.stopped, late.stopped]).toEqual([1, 1]);
    expect(slow.items).toBeLessThan(200);
    expect(late.items).toBeLessThan(260);
  });

  it('let through less than the plain average does, and wrong fewer people', () => {
    for (const bad of [sloppy, spammer]) expect(ours(bad).items).toBeLessThan(paper(bad).items);
    expect(ours(average).stopped).toBeLessThan(paper(average).stopped);
  });
});
