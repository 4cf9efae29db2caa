import { z } from 'zod';

const Accuracy = z.object({
  n: z.number().int(),
  correct: z.number().int(),
  accuracy: z.number().nullable(),
  low: z.number(),
  high: z.number(),
});

const Test = Accuracy.extend({
  attack: z.string(),
  /** A sweep has a list of them. */
  eps: z.union([z.number(), z.array(z.number())]).optional(),
  steps: z.number().optional(),
  restarts: z.number().optional(),
  iterations: z.number().optional(),
  queries: z.number().optional(),
  strategy: z.string().optional(),
  seconds: z.number().optional(),
  brokenBy: z.record(z.string(), z.number()).default({}),
  perClass: z.array(Accuracy).default([]),
});

/** A share that carries what it rests on. */
export type Accuracy = z.infer<typeof Accuracy>;
export type TestOutcome = z.infer<typeof Test>;

const Outcome = z.object({ metrics: z.object({ tests: z.array(z.unknown()) }) });

/** The tests of a run's verdict, in the order of its spec; none while there is no verdict. */
export function testsOf(result: unknown): TestOutcome[] {
  const outcome = Outcome.safeParse(result);
  return outcome.success ? outcome.data.metrics.tests.flatMap((test) => Test.safeParse(test).data ?? []) : [];
}

/** The tests that are over, while others go on; one that was told again counts as told last. */
export function testsTold(
  events: readonly { kind: string; document: Record<string, unknown> }[],
): TestOutcome[] {
  const told = new Map<number, unknown>();
  for (const { kind, document } of events)
    if (kind === 'metrics' && document.split === 'test') told.set(Number(document.test), document);
  return testsOf({ metrics: { tests: [...told].sort(([a], [b]) => a - b).map(([, test]) => test) } });
}

export const cleanTest = (tests: readonly TestOutcome[]): TestOutcome | undefined =>
  tests.find(({ attack }) => attack === 'none');

/** What is told in one number: AutoAttack where it ran, as papers do; else the attack that leaves the least. */
export function strongestTest(tests: readonly TestOutcome[]): TestOutcome | undefined {
  const attacked = tests.filter(({ attack }) => attack !== 'none');
  return (
    attacked.find(({ attack }) => attack === 'autoattack') ??
    attacked.toSorted((a, b) => (a.accuracy ?? 1) - (b.accuracy ?? 1))[0]
  );
}

const names: Record<string, string> = {
  none: 'Clean',
  // What "broke" an image that was wrong already.
  clean: 'wrong without attack',
  pgd: 'PGD',
  'apgd-ce': 'APGD-CE',
  'apgd-t': 'APGD-T',
  fab: 'FAB',
  square: 'Square',
  autoattack: 'AutoAttack',
  sweep: 'Sweep of ε',
  'two-stage': 'Two-stage',
};

export const attackName = (attack: string): string => names[attack] ?? attack;
