/** The work was interrupted by no fault of its own: the job is taken up again, and it does not count as a try. */
export class Interrupted extends Error {}
