import { describe, expect, it } from 'vitest';
import { defaultRules, findRule, RuleSettings, rival10Rules, rules } from '@/lib/core/quality/rules';
import { history } from '../histories';

describe('the registry of rules', () => {
  it('has every id once', () => {
    expect(new Set(rules.map(({ id }) => id)).size).toBe(rules.length);
  });

  it('lets only checks end somebody', () => {
    const ending = rules.filter(({ atMost }) => atMost === 'end').map(({ id }) => id);
    expect(ending).toEqual([
      'failed-checks',
      'pass-rate',
      'below-bar',
      'below-expected',
      'average-below-bar',
    ]);
  });

  it('says nothing about somebody who has done nothing', () => {
    for (const rule of rules) expect(rule.judge(history(), {})).toBeNull();
  });

  it('explains every setting', () => {
    for (const rule of rules)
      for (const setting of Object.values(rule.params.shape)) expect(setting.description).toBeTruthy();
  });

  it('has valid presets', () => {
    for (const preset of [defaultRules, rival10Rules])
      expect(RuleSettings.parse(preset).map(({ id }) => findRule(id)?.id)).not.toContain(undefined);
  });

  it.each([
    ['a rule that there is not', [{ id: 'mood', params: {} }]],
    ['a setting that the rule does not have', [{ id: 'below-bar', params: { mood: 1 } }]],
    ['a setting out of its range', [{ id: 'below-bar', params: { minChecks: 0 } }]],
    ['a rule twice', [{ id: 'below-bar' }, { id: 'below-bar' }]],
  ])('refuses %s', (_what, settings) => {
    expect(RuleSettings.safeParse(settings).success).toBe(false);
  });
});
