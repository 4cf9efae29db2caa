import { TesseraError } from '@/lib/core/errors';
import { ArchiveRefused } from './archive';
import { TableRefused } from './class-table';
import { PictureRefused } from './read-picture';

/** The reason for a refusal, when an error is about the file; null when it is about us. */
export function refusalOf(error: unknown): string | null {
  if (error instanceof PictureRefused || error instanceof TableRefused || error instanceof ArchiveRefused)
    return error.message;
  if (error instanceof TesseraError && error.kind === 'too-large') return error.message;
  return null;
}
