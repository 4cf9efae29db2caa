import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';

/** What the web build is made of. A file that is not there counts as absent, and counts when it appears. */
const inputs = [
  'app',
  'lib',
  'db',
  'workers',
  'public',
  'proxy.ts',
  'instrumentation.ts',
  'next.config.js',
  'postcss.config.mjs',
  'tsconfig.json',
  'package-lock.json',
];

/** Equal when a build would come out equal: names and contents of all inputs. */
export function hashOfInputs(folder: string): string {
  const hash = createHash('sha256');
  for (const file of inputs.flatMap((input) => filesIn(path.join(folder, input)))) {
    hash.update(path.relative(folder, file)).update('\0').update(readFileSync(file)).update('\0');
  }
  return hash.digest('hex');
}

function filesIn(input: string): string[] {
  const found = statSync(input, { throwIfNoEntry: false });
  if (!found) return [];
  if (found.isFile()) return [input];
  return readdirSync(input, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .sort();
}
