import path from 'node:path';
import { invalid } from '@/lib/core/errors';

/** The one way from a relative name to a path: what would lie outside of the root is refused. */
export function resolveInside(root: string, relative: string): string {
  const base = path.resolve(root);
  const resolved = path.resolve(base, relative);
  const steps = path.relative(base, resolved);
  const outside = steps === '..' || steps.startsWith(`..${path.sep}`) || path.isAbsolute(steps);
  if (relative.includes('\0') || path.isAbsolute(relative) || steps === '' || outside) {
    throw invalid('This name leads out of the folder it belongs to.');
  }
  return resolved;
}
