// `npm run lock`, after every change of a dependency: makes `npm ci` run without warnings and downloads on every
// supported Node.js (20.19, 22 and 24) and on npm 10 and 11. test/run/lock.test.ts checks the result.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Packages that declare a newer Node.js than ours, and run on ours: `npm test` proves it. */
const testedEngines = ['pg-boss'];

const folder = new URL('../', import.meta.url);
const { allowScripts } = JSON.parse(readFileSync(new URL('package.json', folder), 'utf8'));
const file = fileURLToPath(new URL('package-lock.json', folder));
const lock = JSON.parse(readFileSync(file, 'utf8'));

for (const [place, entry] of Object.entries(lock.packages)) {
  const name = place.replace(/^.*node_modules\//, '');
  if (testedEngines.includes(name)) delete entry.engines;
  // npm 11 reads `allowScripts`. npm 10 does not, and would let onnxruntime-node download CUDA.
  if (allowScripts[name] === false) delete entry.hasInstallScript;
}
writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
