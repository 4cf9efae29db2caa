/** `npm run verify:formats`: every export, read by the field's own Python libraries in a throw-away environment. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const LIBRARIES = ['numpy', 'scipy', 'Pillow', 'pycocotools', 'pyyaml', 'pyarrow'];
/** Large packages; the checks that need a missing one report "not run". */
const LOADERS = ['datasets', 'shapely', 'torch torchvision'];
const here = import.meta.dirname;
const work = mkdtempSync(path.join(tmpdir(), 'tessera-verify-'));
const run = (command: string, ...rest: string[]) => execFileSync(command, rest, { stdio: 'inherit' });

try {
  const python = path.join(work, 'env/bin/python');
  run('python3', '-m', 'venv', path.join(work, 'env'));
  run(python, '-m', 'pip', 'install', '--quiet', ...LIBRARIES);
  for (const packages of LOADERS)
    try {
      run(python, '-m', 'pip', 'install', '--quiet', ...packages.split(' '));
    } catch {
      // Reported by the checks that need it.
    }
  run('npx', 'tsx', path.join(here, 'write-exports.ts'), path.join(work, 'exports'));
  run(python, path.join(here, 'verify_formats.py'), path.join(work, 'exports'));
} catch {
  // What went wrong was said by the command that failed.
  process.exitCode = 1;
} finally {
  rmSync(work, { recursive: true, force: true });
}
