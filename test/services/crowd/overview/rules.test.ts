import { describe, expect, it } from 'vitest';
import { readDraft } from '@/app/(console)/projects/[project]/crowd/rules/read-draft';
import { paramsOf } from '@/app/(console)/projects/[project]/crowd/rules/rule-params';
import type { Database } from '@/db';
import { defaultRules, rival10Rules, rules } from '@/lib/core/quality/rules';
import { crowdStages } from '@/lib/services/crowd/overview/crowd-stages';
import {
  listRuleSets,
  stageHistories,
  triedEvidence,
  tryRules,
} from '@/lib/services/crowd/overview/try-rules';
import { switchRulesOn } from '@/lib/services/crowd/rules/switch-rules-on';
import { rulesInForce } from '@/lib/services/crowd/trust';
import { useDatabase } from '../../../support/database';
import { person, tests } from '../../access/people';
import { countStatements } from '../../access/statements';
import { type Workshop, worker, workshop } from '../workshop';
import { form, past } from './past';

const db = useDatabase();

const right = { check: { passed: true, score: form(5, 0, 0) } };
const wrong = { check: { passed: false, score: form(0, 5, 5) } };
const work = Array.from({ length: 4 }, () => ({}));
const pay = {
  pay: { currency: 'USD', attributeBatch: 400_000, mask: 1, attributeExam: 1, maskExam: 1, hourlyTarget: 1 },
};

/** One good and one bad worker, forty items each, every fifth a check. */
async function twoWorkers(db: Database, shop: Workshop) {
  const [good, bad] = [await worker(db, shop, 'Good'), await worker(db, shop, 'Bad')];
  const round = (check: typeof right) => Array.from({ length: 8 }, () => [...work, check]).flat();
  await past(db, shop, good, { answers: round(right) });
  await past(db, shop, bad, { answers: round(wrong) });
}

describe('a dry run of rules', () => {
  it('tells who would have been stopped, when, what it costs, and how sure that is', async () => {
    const shop = await workshop(db(), pay);
    await twoWorkers(db(), shop);
    const stages = await crowdStages(db(), {
      id: shop.projectId,
      policy: { batchSize: { attributes: 4, masks: 4 }, ...pay },
    });
    const histories = await stageHistories(db(), shop.projectId, stages);
    expect(
      histories.map(({ name, answers, checks }) => [name, answers.length, checks.length]).toSorted(),
    ).toEqual([
      ['Bad', 40, 8],
      ['Good', 40, 8],
    ]);
    const trial = tryRules(histories, stages, [{ id: 'failed-checks', params: {} }]);
    expect(trial).toMatchObject({ workers: 2, stopped: 1 });
    const [bad] = trial.tried;
    expect(bad?.run.history.name).toBe('Bad');
    // The bad one never passed a check: all that was done before the stop is asked again, at 0.10 USD an item.
    const before = bad?.run.stop?.answersDone as number;
    expect(trial.askedAgain).toBe(before);
    expect(trial.notTaken).toBe(40 - before);
    expect(trial.costMicro).toBe(BigInt(before) * 100_000n);
    expect(trial.falseStops).toBeLessThan(0.01);
    expect(tryRules(histories, stages, [])).toMatchObject({ stopped: 0, hinted: 0, costMicro: 0n });
  });

  it('states how many of 1,000 good workers the tests of the rules stop at most', () => {
    const falseStops = (...settings: Parameters<typeof tryRules>[2]) =>
      tryRules([], [], settings).falseStopsPerThousand;
    expect(falseStops({ id: 'failed-checks', params: { error: 0.01 } })).toBeCloseTo(10);
    const two = [
      { id: 'failed-checks', params: { error: 0.01 } },
      { id: 'below-bar', params: { error: 0.005 } },
    ];
    expect(falseStops(...two)).toBeCloseTo(15);
    expect(falseStops(...defaultRules)).toBeLessThanOrEqual(20);
    // RIVAL10's plain average has no stated error.
    expect(falseStops(...rival10Rules)).toBeNull();
  });

  it('shows the evidence about any worker with the limit and the next step of the rules that are tried', async () => {
    const shop = await workshop(db(), pay);
    const round = (check: typeof right) => Array.from({ length: 4 }, () => [...work, check]).flat();
    for (const [name, check] of [
      ['Good', right],
      ['Bad', wrong],
    ] as const) {
      const actor = await worker(db(), shop, name);
      for (const ago of [24, 12]) await past(db(), shop, actor, { ago, answers: round(check) });
    }
    const stages = await crowdStages(db(), { id: shop.projectId, policy: pay });
    const histories = await stageHistories(db(), shop.projectId, stages);
    const idOf = (name: string) => histories.find((history) => history.name === name)?.workerId ?? '';
    const evidenceOf = (name: string, error: number) => {
      const rules = [{ id: 'failed-checks', params: { error } }];
      const [found] = triedEvidence(histories, rules, idOf(name));
      return { ...found, test: found?.tests.find(({ rule }) => rule === 'failed-checks') };
    };
    const loose = evidenceOf('Bad', 0.1);
    const strict = evidenceOf('Bad', 1e-6);
    expect(strict.test?.limit).toBeCloseTo(100_000 * (loose.test?.limit ?? 0), 0);
    // With the larger error the worker is stopped, and no later check is evidence.
    expect(loose.decisions?.map(({ verdict }) => verdict)).toContain('pause');
    expect(strict.decisions?.map(({ verdict }) => verdict)).not.toContain('pause');
    expect(loose.test?.points.length).toBeLessThan(strict.test?.points.length ?? 0);
    expect(strict.test).toMatchObject({
      isInForce: true,
      atLimit: 'pause',
      failuresToLimit: expect.any(Number),
    });
    const good = evidenceOf('Good', 0.01);
    expect(good.decisions).toEqual([]);
    expect(good.test?.highest).toBeLessThan(2);
    expect(triedEvidence(histories, defaultRules, shop.projectId)).toEqual([]);
  });

  it('reads everybody in three statements per stage and one for all, however many there are', async () => {
    const shop = await workshop(db());
    await twoWorkers(db(), shop);
    const stages = await crowdStages(db(), { id: shop.projectId, policy: {} });
    expect(await countStatements(db(), () => stageHistories(db(), shop.projectId, stages))).toBe(
      1 + 3 * stages.length,
    );
  });
});

describe('switching rules on', () => {
  it('makes the next number, which is in force from then on', async () => {
    const shop = await workshop(db());
    const [{ number: first } = { number: 0 }] = await listRuleSets(db(), shop.projectId);
    const curator = await person(db(), 'Carla');
    const chosen = [{ id: 'below-bar', params: { error: 0.004, leaning: 0.5 } }];
    const input = { projectId: shop.projectId, rules: chosen, after: first };
    expect(await switchRulesOn(db(), curator, input)).toEqual({ number: first + 1 });
    expect(await rulesInForce(db(), shop.projectId)).toEqual(chosen);
    expect((await listRuleSets(db(), shop.projectId))[0]).toMatchObject({ number: first + 1, by: 'Carla' });
    await expect(switchRulesOn(db(), curator, input)).rejects.toThrow(
      'Somebody else switched other rules on',
    );
  });

  it('keeps a rule after an upgrade that has dropped one of its settings', async () => {
    const { projectId } = await workshop(db(), {}, [
      { id: 'below-bar', params: { minChecks: 8, error: 0.01 } },
      { id: 'failed-checks', params: { bad: 0.5, credit: 2 } },
    ]);
    expect(await rulesInForce(db(), projectId)).toEqual([
      { id: 'below-bar', params: { error: 0.01 } },
      { id: 'failed-checks', params: {} },
    ]);
  });

  it('refuses a rule that does not exist and a number out of bounds', async () => {
    const { projectId } = await workshop(db());
    const withRule = (id: string, params: Record<string, unknown>) =>
      switchRulesOn(db(), tests, { projectId, rules: [{ id, params }], after: 1 });
    await expect(withRule('astrology', {})).rejects.toThrow('There is no rule "astrology"');
    await expect(withRule('below-bar', { error: -1 })).rejects.toThrow('error');
  });
});

describe('the form of the rules', () => {
  it('asks for every setting of every rule by a number with its usual value', () => {
    for (const rule of rules) {
      const usual = Object.fromEntries(paramsOf(rule).map((param) => [param.name, param.usual]));
      expect(rule.params.parse({})).toEqual(usual);
    }
  });

  it('reads the rules that an address describes, and says what is wrong with them', () => {
    expect(readDraft({})).toBeNull();
    expect(
      readDraft({ try: '1', on: 'below-bar', 'below-bar.error': '0.007', 'too-fast.window': '9' }),
    ).toEqual({
      settings: [{ id: 'below-bar', params: { error: 0.007 } }],
      problem: null,
    });
    const twoRules = readDraft({ try: '1', on: ['below-bar', 'pass-rate'], 'pass-rate.bar': 'x' });
    expect(twoRules?.settings.map((setting) => setting.id)).toEqual(['pass-rate', 'below-bar']);
    expect(twoRules?.problem).toContain('bar');
    expect(readDraft({ try: '1' })).toEqual({ settings: [], problem: null });
    expect(defaultRules.length).toBeGreaterThan(0);
  });
});
