import { existsSync } from 'node:fs';

/** How to install packages on this system, if it is one with apt. */
export function aptGet(packages: string): string | undefined {
  if (!existsSync('/usr/bin/apt-get')) return undefined;
  return `${process.getuid?.() === 0 ? '' : 'sudo '}apt-get install -y --no-install-recommends ${packages}`;
}
