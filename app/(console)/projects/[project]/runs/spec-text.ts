import type { JobSpec } from '@/lib/core/training-spec';

/** A spec as people read it: indented, short lists of numbers on one line. */
export const specText = (spec: JobSpec): string =>
  JSON.stringify(spec, null, 2).replace(
    /\[\s+([-\d.,\s]+?)\s+\]/g,
    (_, numbers: string) => `[${numbers.replace(/\s+/g, ' ')}]`,
  );
