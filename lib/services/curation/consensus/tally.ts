import { z } from 'zod';

const count = z.number().int().default(0);

/** What a run has come to so far; kept in its row, so that another worker can carry on. */
export const Tally = z.object({
  /** The last item that was read. */
  after: z.uuid().nullable().default(null),
  items: count,
  made: count,
  changed: count,
  /** Left as they were: corrected, imported or generated; fewer than two answers count; nothing to merge. */
  kept: count,
  tooFew: count,
  undecided: count,
  /** Questions without a winner, on which what was current stands. */
  ties: count,
  /** Of masks. */
  appeared: count,
  vanished: count,
  /** Since the run is being taken back, how many labels were given back. */
  isTakenBack: z.boolean().default(false),
  restored: count,
});
export type Tally = z.infer<typeof Tally>;

export const emptyTally = (): Tally => Tally.parse({});
