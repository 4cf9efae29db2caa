import { execFileSync } from 'node:child_process';
import path from 'node:path';

/** A throw-away environment; null where it cannot be made. */
export function makePython(folder: string): string | null {
  try {
    const venv = path.join(folder, 'venv');
    execFileSync('python3', ['-m', 'venv', venv]);
    execFileSync(path.join(venv, 'bin/pip'), ['install', '--quiet', 'numpy', 'pillow', 'pycocotools']);
    return path.join(venv, 'bin/python');
  } catch {
    console.log('No Python environment could be made: the columns of Python are empty.\n');
    return null;
  }
}
