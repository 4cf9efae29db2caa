import { resized } from '../pixels/resized';
import type { Outcome, Variant } from '../types';

/**
 * Pictures that were driven away from one model, shown to another at its own size. The other is asked once for each: it
 * had no part in making them.
 */
export const shownVariant = (
  driven: Variant,
  { from, made }: { from: string; made: (sample: string) => Promise<Outcome> },
): Variant => ({
  id: `${driven.id}.shown`,
  version: driven.version,
  says: `Pictures that were driven away from another model: ${driven.says}`,
  paradigm: driven.paradigm,
  needs: driven.needs,
  // Whom they were made against is a part of what the answer depends on.
  parameters: { ...driven.parameters, from },
  cells: driven.cells,
  runs: 1,
  async apply({ id, picture }) {
    const outcome = await made(id);
    return 'invalid' in outcome ? outcome : { ...outcome, picture: resized(outcome.picture, picture) };
  },
});
