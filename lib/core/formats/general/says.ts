import type { Check } from '../format';
import type { Problems } from '../problems';

/** Sentences that several formats share. */
export const losses = {
  provenance: 'Where a label comes from and how sure it is are left out.',
  overlap: 'A pixel has one label: where masks overlap, the part that lies on top keeps it.',
  attributes: 'Attributes of an image and their masks are left out.',
  parts: 'Masks of parts are left out.',
  absent: 'That a part was looked for and not found is left out.',
  facts: 'Class, WordNet id, group and columns of an image are left out.',
} as const;

export const checked = (problems: Problems, said: readonly string[]): Check => ({
  refusals: problems.list(),
  losses: said,
});
