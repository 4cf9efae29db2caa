import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/** The system's own first: that is where the packages of the system are. */
const candidates = ['/usr/bin/python3', '/opt/homebrew/bin/python3', '/usr/local/bin/python3'];

export function findPython(named: string | undefined): string | undefined {
  return named ?? candidates.find((file) => existsSync(file));
}

/** What a line of Python prints, or undefined when it fails. */
export function run(python: string, code: string): string | undefined {
  const { status, stdout } = spawnSync(python, ['-c', code], { encoding: 'utf8', timeout: 60_000 });
  return status === 0 ? stdout.trim() : undefined;
}
