import { accessSync, chmodSync, constants, existsSync, mkdirSync } from 'node:fs';
import { TesseraError } from '@/lib/core/errors';

/** Makes TESSERA_HOME if needed and checks that it can be written. */
export function ensureHome(home: string): void {
  try {
    if (!existsSync(home)) {
      mkdirSync(home, { recursive: true });
      // PostgreSQL does not run as root: its user has to pass through. What lies inside is private.
      chmodSync(home, process.getuid?.() === 0 ? 0o711 : 0o700);
    }
    accessSync(home, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new TesseraError(
      'unavailable',
      `The folder ${home} cannot be ${existsSync(home) ? 'written' : 'made'} (${describeError(code)}). Set TESSERA_HOME to a folder that you may write.`,
    );
  }
}

function describeError(code: string | undefined): string {
  if (code === 'EACCES' || code === 'EPERM') return 'permission denied';
  if (code === 'ENOSPC' || code === 'EDQUOT') return 'the disk is full';
  if (code === 'EROFS') return 'the file system is read-only';
  if (code === 'ENOTDIR' || code === 'EEXIST') return 'a file is in the way';
  return code ?? 'unknown cause';
}
