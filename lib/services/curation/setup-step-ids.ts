/** Steps of the guided path, in order. Client components import this file, so it imports nothing. */
export const setupStepIds = ['images', 'schema', 'instructions', 'gold', 'policy', 'invite'] as const;
export type SetupStepId = (typeof setupStepIds)[number];
