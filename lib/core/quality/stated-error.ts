import { findRule, type RuleSetting } from './rules';

/**
 * The probability that rules with sequential tests ever stop a good worker, over all stages of a project: the sum of
 * their errors (Bonferroni). Signals are not counted; docs/methods.md states their error. Null if a rule that judges
 * checks without any control of its error is on.
 */
export function statedError(settings: readonly RuleSetting[]): number | null {
  if (settings.some(({ id }) => findRule(id)?.errorControl === 'unknown')) return null;
  return settings.reduce((sum, { id, params }) => {
    const rule = findRule(id);
    if (rule?.errorControl !== 'bounded' || rule.atMost !== 'end') return sum;
    const { error } = rule.params.parse(params) as { error?: number };
    return sum + (error ?? 0);
  }, 0);
}
