import { TesseraError } from '@/lib/core/errors';

/** For whom a fault is told: what was written, and how to go on once it is mended. */
export interface Told {
  place: string;
  again: string;
}

/** What the system says when it will not write on, in words, with what to do. What was written stays for the next try. */
const faults: Record<string, (told: Told) => string> = {
  ENOSPC: ({ place, again }) => `The disk for ${place} is full. Free some space there, ${again}`,
  EDQUOT: ({ place, again }) => `The disk quota for ${place} is used up. Free some space there, ${again}`,
  EFBIG: ({ place, again }) =>
    `A file of ${place} would be larger than this disk or this account allows. Raise the limit (ulimit -f) or use another disk, ${again}`,
  EROFS: ({ place, again }) =>
    `The disk for ${place} is read-only. Make it writable or use another one, ${again}`,
  EACCES: ({ place, again }) =>
    `This account may not write ${place}. Change the rights of the place, ${again}`,
  EIO: ({ place, again }) => `The disk for ${place} reports an error. Check it, ${again}`,
};

/** The same error, or one that tells a person what happened to the disk. */
export function explainDiskFault(error: unknown, told: Told): unknown {
  const says = faults[String((error as NodeJS.ErrnoException | null)?.code)];
  return says ? new TesseraError('unavailable', says(told)) : error;
}
