import { describe, expect, it } from 'vitest';
import { decodeCounts, iou } from '@/lib/core/mask';
import { dryRun } from '@/lib/core/quality/judge';
import { rival10Policy } from '@/lib/core/quality/rival10';
import { scoreCheck } from '@/lib/core/quality/score-check';
import { answerQuestion } from '@/lib/demo/simulation/memory/answer';
import { armOf, defaultFactors, factorial, nameOf, rival10Factors } from '@/lib/demo/simulation/memory/arm';
import { collect, runCollection } from '@/lib/demo/simulation/memory/collection';
import { historyOf } from '@/lib/demo/simulation/memory/decide';
import { isWrongForm, MIN_IOU } from '@/lib/demo/simulation/memory/outcome';
import { castPeople, drawPerson, goodKinds, isGoodKind } from '@/lib/demo/simulation/memory/people';
import { randomFor } from '@/lib/demo/simulation/memory/random';
import { keyOf, RunRecord, recordOf } from '@/lib/demo/simulation/memory/record';
import { stageKinds } from '@/lib/demo/simulation/memory/run';
import { FORM, iouOf, PARTS, STRIP, storedAnswer, truthOf } from '@/lib/demo/simulation/memory/world';

const small = { seed: 3, seats: 8, itemsPerWorker: 60, gold: 100, badShare: 0.36 };
const arm = armOf(defaultFactors);

describe('simulated people', () => {
  it('are as good as the paper reports: precision 0.81, recall 0.84, mean IoU 0.745', () => {
    const hits = { right: 0, given: 0, there: 0 };
    const ious: number[] = [];
    for (const [n, kind] of Array.from({ length: 40 }, (_, i) => [i, goodKinds[i % 2]] as const)) {
      const person = drawPerson(1, n, kind as (typeof goodKinds)[number]);
      for (let image = 0; image < 150; image++) {
        const truth = truthOf(1, image);
        const question = { seed: 1, truth, kind: 'work', isGold: false, itemsDone: image } as const;
        const { given } = answerQuestion(person, { ...question, target: FORM }, new Set());
        const marks = 'marks' in given ? given.marks : 0;
        hits.right += bits(marks & truth.marks);
        hits.given += bits(marks);
        hits.there += bits(truth.marks);
        for (let target = 0; target < PARTS; target++) {
          if (!truth.outlines[target]) continue;
          const drawn = answerQuestion(person, { ...question, target }, new Set()).given;
          ious.push('outline' in drawn ? iouOf(drawn.outline, truth.outlines[target] ?? null) : 0);
        }
      }
    }
    expect(hits.right / hits.given).toBeCloseTo(0.81, 1);
    expect(Math.abs(hits.right / hits.given - 0.81)).toBeLessThan(0.015);
    expect(Math.abs(hits.right / hits.there - 0.84)).toBeLessThan(0.015);
    expect(Math.abs(ious.reduce((sum, each) => sum + each, 0) / ious.length - 0.745)).toBeLessThan(0.015);
  });

  it('are the same people in the same order in every arm, with the exact share of bad ones in each crew', () => {
    const people = castPeople(5, 22, 0.36, 3);
    expect(people).toEqual(castPeople(5, 22, 0.36, 3));
    for (const from of [0, 22, 44])
      expect(people.slice(from, from + 22).filter(({ kind }) => !isGoodKind(kind))).toHaveLength(8);
  });

  it('answer a question alike whatever was asked before', () => {
    const person = drawPerson(2, 7, 'average');
    const question = { seed: 2, truth: truthOf(2, 11), target: FORM, kind: 'work', isGold: false } as const;
    const first = answerQuestion(person, { ...question, itemsDone: 0 }, new Set());
    expect(answerQuestion(person, { ...question, itemsDone: 90 }, new Set())).toEqual(first);
  });
});

describe('the measure of wrong labels', () => {
  it('agrees with the check scores of production on forms and masks', () => {
    const random = randomFor(9);
    for (let n = 0; n < 300; n++) {
      const [marks, truth] = [Math.floor(random() * 2 ** 18), Math.floor(random() * 2 ** 18)];
      const score = (given: number) => storedAnswer({ marks: given });
      const form = { stageKind: 'attributes', answer: score(marks), gold: score(truth) } as const;
      expect(isWrongForm(marks, truth)).toBe(
        !scoreCheck({ ...form, policy: rival10Policy, ...STRIP }).passed,
      );
      const [a, b] = [outline(random), outline(random)];
      const [answer, gold] = [storedAnswer({ outline: a }), storedAnswer({ outline: b })];
      const mask = { stageKind: 'part-mask', answer, gold, policy: rival10Policy, ...STRIP } as const;
      expect(iouOf(a, b) < MIN_IOU).toBe(!scoreCheck(mask).passed);
      const decoded = [answer, gold].map((each) => decodeCounts(each.mask ?? '', STRIP.height, STRIP.width));
      expect(iouOf(a, b)).toBeCloseTo(iou(decoded[0] as never, decoded[1] as never), 12);
    }
  });
});

describe('a collection in memory', () => {
  const run = collect({ ...small, arm });
  const outcome = runCollection({ ...small, arm });

  it('is the same every time', () => {
    expect(runCollection({ ...small, arm })).toEqual(outcome);
    expect(runCollection({ ...small, seed: 4, arm })).not.toEqual(outcome);
  });

  it('pays every answer exactly once and nothing else for work', () => {
    const { attributeBatch, mask } = arm.policy.pay;
    const items = run.paidItems;
    const perForm = attributeBatch / arm.policy.batchSize.attributes;
    expect(run.costs.work).toBeCloseTo(items.attributes * perForm + items['part-mask'] * mask, 3);
    const done = run.workers.flatMap(({ careers }) => stageKinds.map((kind) => careers[kind].itemsDone));
    expect(done.reduce((sum, n) => sum + n, 0)).toBe(items.attributes + items['part-mask']);
  });

  it('ends with a label for every image, from answers of different workers that count', () => {
    expect(outcome.unfinished).toBe(0);
    for (const item of [...run.forms, ...run.parts.flat().flatMap((each) => each ?? [])]) {
      expect(item.state).not.toBe('open');
      expect(item.answers.every(({ isSetAside }) => !isSetAside)).toBe(true);
      expect(new Set(item.answers.map(({ worker }) => worker.person.id)).size).toBe(item.answers.length);
    }
  });

  it('attributes every wrong label to workers', () => {
    const blamed = Object.values(outcome.wrongBy).reduce((sum, n) => sum + n, 0);
    expect(blamed).toBeCloseTo(outcome.wrong, 6);
  });

  it('shows nobody the same gold twice and never more items than allowed', () => {
    for (const { careers } of run.workers)
      for (const kind of stageKinds) {
        const gold = careers[kind].checks.map(({ goldId }) => goldId);
        expect(new Set(gold).size).toBe(gold.length);
        expect(careers[kind].itemsDone).toBeLessThanOrEqual(small.itemsPerWorker);
      }
  });

  it('gives the rules histories in time order', () => {
    const [worker] = run.workers;
    if (!worker) throw new Error('Somebody worked.');
    const { answers, checks } = historyOf(run, run.stages.attributes, worker);
    for (const list of [answers, checks])
      expect(list.every(({ at }, i) => i === 0 || at >= (list[i - 1]?.at ?? at))).toBe(true);
  });

  it('decides as a dry run of the histories that it leaves behind', () => {
    // Rules whose facts do not change with the work of others, and so much gold that few people share an item.
    const ids = ['failed-checks', 'below-bar', 'target-checks', 'always-nothing', 'identical-choices'];
    const rules = arm.rules
      .filter(({ id }) => ids.includes(id))
      .map((rule) => ({ ...rule, params: rule.id === 'failed-checks' ? { error: 0.2 } : {} }));
    const lived = collect({
      ...small,
      itemsPerWorker: 200,
      gold: 600,
      badShare: 0.5,
      arm: { ...arm, rules },
    });
    const kinds = new Set<string>();
    for (const worker of lived.workers)
      for (const kind of stageKinds) {
        const { answers, actions } = worker.careers[kind];
        const history = historyOf(lived, lived.stages[kind], worker);
        expect(history.checks.every(({ expected }) => expected === null)).toBe(true);
        const [run] = dryRun([{ ...history, answers, actions: [] }], rules);
        const steps = run?.steps.map(({ at, judgement: { verdict, target } }) => ({ verdict, target, at }));
        expect(actions.filter(({ verdict }) => verdict !== 'refreshed')).toMatchObject(steps ?? []);
        for (const { verdict, target } of steps ?? [])
          kinds.add(target === null ? verdict : `${verdict} part`);
      }
    expect([...kinds].sort()).toEqual(['hint', 'pause', 'refresher', 'refresher part']);
  });

  it('asks for second opinions where the policy allows them, and pays for them', () => {
    const opinions = { overlap: 1, maxOverlap: 3, confidence: 0.95 };
    const more = runCollection({
      ...small,
      arm: armOf({ ...defaultFactors, secondOpinion: true }, opinions),
    });
    const one = runCollection({ ...small, arm: armOf(defaultFactors) });
    expect(more.answers).toBeGreaterThan(1.3 * one.answers);
    expect(more.dollars).toBeGreaterThan(one.dollars);
    expect(more.wrong / more.labels).toBeLessThan(one.wrong / one.labels);
  });

  it('is kept as a record that can be read again', () => {
    const cell = { seed: 3, mix: 36, itemsPerWorker: 60, gold: 100, arm: arm.name };
    const record = recordOf(cell, outcome);
    expect(RunRecord.parse(JSON.parse(JSON.stringify(record)))).toEqual(record);
    expect(keyOf(record)).toBe(keyOf(cell));
  });
});

describe('the arms', () => {
  it('are all combinations of the four factors, and RIVAL10 is one of them with its own policy', () => {
    expect(new Set(factorial.map(nameOf)).size).toBe(2 * 4 * 2 * 2);
    expect(factorial.map(nameOf)).toContain(nameOf(rival10Factors));
    expect(armOf(rival10Factors).policy).toEqual(rival10Policy);
    expect(armOf(rival10Factors).rules).toEqual([{ id: 'average-below-bar', params: { minChecks: 10 } }]);
  });
});

function bits(marks: number): number {
  let count = 0;
  for (let rest = marks; rest !== 0; rest &= rest - 1) count += 1;
  return count;
}

function outline(random: () => number) {
  const from = Math.floor(300 * random());
  return { from, to: from + 20 + Math.floor(80 * random()) };
}
