/** The steps of the guided setup, in order. Browser code imports them: this file must not reach the database. */
export const setupStepIds = ['images', 'schema', 'instructions', 'gold', 'policy', 'invite'] as const;
export type SetupStepId = (typeof setupStepIds)[number];
