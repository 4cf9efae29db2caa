import { defaultPolicy, type Policy } from '@/lib/core/quality/policy';
import { rival10Policy } from '@/lib/core/quality/rival10';
import { defaultRules, type RuleSetting, rival10Rules } from '@/lib/core/quality/rules';

/** A way to run a collection. */
export interface Protocol {
  name: string;
  policy: Policy;
  rules: readonly RuleSetting[];
  /** Whether the work of somebody who was stopped is asked again, as far as no good check vouches for it. */
  asksAgain: boolean;
}

/** A day passes between two attempts at an exam; nothing else in the experiment depends on the clock. */
const withoutWaiting = (policy: Policy): Policy => ({
  ...policy,
  attributeExam: { ...policy.attributeExam, waitHours: 0 },
  maskExam: { ...policy.maskExam, waitHours: 0 },
});

export const protocols: readonly Protocol[] = [
  { name: 'RIVAL10 as printed', policy: rival10Policy, rules: rival10Rules, asksAgain: false },
  { name: 'Tessera’s default', policy: withoutWaiting(defaultPolicy), rules: defaultRules, asksAgain: true },
];
