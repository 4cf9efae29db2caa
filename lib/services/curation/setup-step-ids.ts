/** The steps of the guided set-up, in order. A file of its own because client components read it. */
export const setupStepIds = ['images', 'schema', 'instructions', 'gold', 'policy', 'invite'] as const;
export type SetupStepId = (typeof setupStepIds)[number];
