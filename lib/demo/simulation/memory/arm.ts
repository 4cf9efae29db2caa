import { defaultPolicy, type Policy } from '@/lib/core/quality/policy';
import { rival10Policy } from '@/lib/core/quality/rival10';
import { defaultRules, type RuleSetting } from '@/lib/core/quality/rules';

/** A way to run a collection. */
export type Arm = {
  name: string;
  policy: Policy;
  rules: readonly RuleSetting[];
  /** Whether work in doubt is asked again when somebody is stopped. */
  asksAgain: boolean;
};

export const checkings = ['flat', 'suspicion'] as const;
export const decidings = ['average-3', 'average-5', 'average-10', 'default'] as const;

export type Factors = {
  checks: (typeof checkings)[number];
  rules: (typeof decidings)[number];
  asksAgain: boolean;
  signals: boolean;
  /** Second opinions by the posterior: one answer per item, or more while the label is unsure. */
  secondOpinion: boolean;
  /** Second answers for the work of people who cannot be relied on: see `lib/core/quality/confirmation.ts`. */
  confirmation: boolean;
};

/** Rules on behaviour; all others judge checks. */
const signalIds = new Set([
  'too-fast',
  'pasted-shapes',
  'always-nothing',
  'coarse-outlines',
  'identical-choices',
  'missing-events',
  'machine-input',
  'repeated-code',
  'model-outlines',
  'model-mistakes',
]);
const signals = defaultRules.filter(({ id }) => signalIds.has(id));
const checkRules = defaultRules.filter(({ id }) => !signalIds.has(id));

/** Settings of the policy that make production ask for second opinions. */
type Opinions = Pick<Policy, 'overlap' | 'maxOverlap' | 'confidence'>;
const ONE_ANSWER: Opinions = { overlap: 1, maxOverlap: 1, confidence: 0.95 };
/** Up to three answers per item, until the posterior is 80 % sure of every decision in the label. Chosen on other seeds. */
const SECOND_OPINIONS: Opinions = { overlap: 1, maxOverlap: 3, confidence: 0.8 };

export function armOf(factors: Factors, opinions: Opinions = SECOND_OPINIONS): Arm {
  const { checks, rules, asksAgain, signals: hasSignals, secondOpinion, confirmation } = factors;
  const minChecks = { 'average-3': 3, 'average-5': 5, 'average-10': 10, default: null }[rules];
  const deciding = minChecks === null ? checkRules : [{ id: 'average-below-bar', params: { minChecks } }];
  const { overlap, maxOverlap, confidence } = secondOpinion ? opinions : ONE_ANSWER;
  return {
    name: nameOf(factors),
    policy: {
      ...(isRival10(factors) ? rival10Policy : defaultPolicy),
      checkSchedule: checks,
      overlap,
      maxOverlap,
      confidence,
      confirmation: (confirmation ? defaultPolicy : rival10Policy).confirmation,
    },
    rules: [...deciding, ...(hasSignals ? signals : [])],
    asksAgain,
  };
}

export const nameOf = (factors: Factors): string =>
  [
    factors.checks,
    factors.rules,
    factors.asksAgain ? 're-ask' : 'no re-ask',
    factors.signals ? 'signals' : 'no signals',
    ...(factors.secondOpinion ? ['second opinion'] : []),
    ...(factors.confirmation ? ['confirmation'] : []),
  ].join(', ');

/** "RIVAL10, with our assumptions where the paper is silent". */
export const rival10Factors: Factors = {
  checks: 'flat',
  rules: 'average-10',
  asksAgain: false,
  signals: false,
  secondOpinion: false,
  confirmation: false,
};

const isRival10 = (factors: Factors): boolean => nameOf(factors) === nameOf(rival10Factors);

/** The platform's default: one answer per item, and a second one for the work of people it cannot rely on. */
export const defaultFactors: Factors = {
  checks: 'suspicion',
  rules: 'default',
  asksAgain: true,
  signals: true,
  secondOpinion: false,
  confirmation: true,
};

/** All combinations of checks, rules, asking again and signals, with one answer per item. */
export const factorial: readonly Factors[] = checkings.flatMap((checks) =>
  decidings.flatMap((rules) =>
    [false, true].flatMap((asksAgain) =>
      [false, true].map((hasSignals) => ({
        checks,
        rules,
        asksAgain,
        signals: hasSignals,
        secondOpinion: false,
        confirmation: false,
      })),
    ),
  ),
);
