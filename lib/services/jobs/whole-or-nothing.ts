/** Kinds of jobs that cannot be stopped once they are asked for, each with the reason that people are told. */
const reasons: Readonly<Record<string, string>> = {
  // Half of the images would ask by the new schema and half by the old, and no job would be left to go on with.
  'change-schema':
    'A change of the schema cannot be stopped half-way. Let it finish, then save a version that takes it back.',
};

/** Why a job of this kind cannot be cancelled; undefined where it can. Also for pages: they offer no button then. */
export const wholeOrNothing = (kind: string): string | undefined => reasons[kind];
