import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import path from 'node:path';
import { freePort } from '@/db/embedded';
import { projectFolder } from '@/lib/config';
import { copyHome, prepareHome, removeHome } from '@/test/e2e/support/instance';
import { oneFor, playwrightTally, type Tally, total, vitestTally } from './tally';

export interface Suite {
  name: string;
  /** `npm test -- <filter>` runs this one alone, with the filter. */
  takesFilter?: boolean;
  run(filter: string[]): Promise<Tally>;
}

/** Runs a program of node_modules in sight of the person, without npm in between. */
function run(script: string, args: string[], env: Record<string, string> = {}): Promise<number> {
  return new Promise((done) => {
    const child = spawn(process.execPath, [path.join(projectFolder, script), ...args], {
      cwd: projectFolder,
      env: { ...process.env, ...env },
      stdio: 'inherit',
    });
    child.once('close', (code) => done(code ?? 1));
  });
}

const resultFile = (name: string) => path.join(projectFolder, 'test-results', name);

/** In the order of what fails fastest. The build comes before those who start the product. */
export const suites: readonly Suite[] = [
  {
    name: 'types',
    async run() {
      // `PageProps` and the like are types that Next makes from the routes: a fresh clone has none yet.
      const made = await run('node_modules/next/dist/bin/next', ['typegen']);
      return oneFor(made || (await run('node_modules/typescript/bin/tsc', ['--noEmit'])));
    },
  },
  {
    name: 'lint',
    run: async () => oneFor(await run('node_modules/@biomejs/biome/bin/biome', ['check', '.'])),
  },
  { name: 'build', run: async () => oneFor(await run('bin/tessera.mjs', ['build'])) },
  {
    name: 'units and stories',
    takesFilter: true,
    async run(filter) {
      const report = resultFile('vitest.json');
      rmSync(report, { force: true });
      const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
      return vitestTally(
        report,
        await run('node_modules/vitest/vitest.mjs', ['run', ...reporters, ...filter]),
      );
    },
  },
  {
    name: 'browser',
    // A browser waits more than it works: two side by side, each with an instance of its own.
    async run() {
      const prepared = await prepareHome();
      const tallies = Array.from({ length: BROWSERS }, (_, index) => browserStories(prepared, index));
      const tally = total(await Promise.all(tallies));
      removeHome(prepared);
      return tally;
    },
  },
];

const BROWSERS = 2;

async function browserStories(prepared: string, index: number): Promise<Tally> {
  const report = resultFile(`playwright-${index}.json`);
  rmSync(report, { force: true });
  const home = copyHome(prepared);
  const shard = `${index + 1}/${BROWSERS}`;
  const code = await run(
    'node_modules/@playwright/test/cli.js',
    ['test', '--reporter=list,json', `--shard=${shard}`, `--output=test-results/browser-${index}`],
    {
      PLAYWRIGHT_JSON_OUTPUT_NAME: report,
      TESSERA_E2E_PORT: String(await freePort()),
      TESSERA_E2E_HOME: home,
    },
  );
  removeHome(home);
  return playwrightTally(report, code);
}
