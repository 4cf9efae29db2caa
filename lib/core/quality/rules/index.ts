import { z } from 'zod';
import { averageBelowBar, belowBar, belowExpected } from './below-bar';
import { alwaysNothing, coarseOutlines, identicalChoices, pastedShapes, tooFast } from './careless-work';
import { failedChecks, passRate } from './failed-checks';
import { machineInput, missingEvents, modelMistakes, modelOutlines, repeatedCode } from './program-signals';
import type { Rule } from './rule';
import { targetChecks } from './target-checks';

export { type ErrorControl, type Finding, ladder, type Rule, type Verdict } from './rule';

/** Every rule there is. */
export const rules: readonly Rule[] = [
  failedChecks,
  passRate,
  belowBar,
  belowExpected,
  targetChecks,
  averageBelowBar,
  tooFast,
  pastedShapes,
  alwaysNothing,
  coarseOutlines,
  identicalChoices,
  missingEvents,
  machineInput,
  repeatedCode,
  modelOutlines,
  modelMistakes,
];

export const findRule = (id: string): Rule | undefined => rules.find((rule) => rule.id === id);

/** A rule that is switched on. Params that are left out have their defaults. */
export const RuleSetting = z
  .strictObject({ id: z.string(), params: z.record(z.string(), z.unknown()).default({}) })
  .superRefine(({ id, params }, context) => {
    const rule = findRule(id);
    if (!rule) return context.addIssue({ code: 'custom', message: `There is no rule "${id}".` });
    for (const { message, path } of rule.params.safeParse(params).error?.issues ?? [])
      context.addIssue({ code: 'custom', message, path: ['params', ...path] });
  });
export type RuleSetting = z.infer<typeof RuleSetting>;

/** What a rule set holds: each rule at most once. */
export const RuleSettings = z
  .array(RuleSetting)
  .max(rules.length)
  .refine((list) => new Set(list.map(({ id }) => id)).size === list.length, 'a rule is listed twice');

const withDefaults = (...chosen: Rule[]): RuleSetting[] => chosen.map(({ id }) => ({ id, params: {} }));

/** What a new project starts with. */
export const defaultRules: readonly RuleSetting[] = withDefaults(
  failedChecks,
  belowBar,
  belowExpected,
  targetChecks,
  tooFast,
  pastedShapes,
  alwaysNothing,
  coarseOutlines,
  identicalChoices,
  missingEvents,
  machineInput,
  repeatedCode,
  modelOutlines,
  modelMistakes,
);

/** The signals that tell programs from people. None of them ends a worker's access. */
export const humanSignals: readonly RuleSetting[] = withDefaults(
  missingEvents,
  machineInput,
  repeatedCode,
  modelOutlines,
  modelMistakes,
);

/** RIVAL10 as printed: the average, and nothing else. */
export const rival10Rules: readonly RuleSetting[] = withDefaults(averageBelowBar);
