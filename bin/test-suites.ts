import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { freePort } from '@/db/embedded';
import { projectFolder, readConfig } from '@/lib/config';
import { debianPackages } from '@/lib/services/training/launch/python';
import { copyHome, prepareHome, removeHome } from '@/test/e2e/support/instance';
import { green, red } from './terminal';
import { aptGet, findChromium, findPython, run as runPython } from './tools';

/**
 * `npm test`: everything that must hold, ending with the line `N passed, N failed`.
 * `npm test -- <filter>`: only the vitest tests that match.
 */
export async function test(args: string[]): Promise<number> {
  mkdirSync('test-results', { recursive: true });
  const chosen = args.length > 0 ? suites.filter(({ takesFilter }) => takesFilter) : suites;
  if (args.length === 0) await ensureTools();
  const tallies: Tally[] = [];
  for (const suite of chosen) {
    console.log(`\n── ${suite.name}`);
    tallies.push(await suite.run(args));
  }
  console.log('');
  for (const [index, { name }] of chosen.entries()) {
    const { passed, failed } = tallies[index] as Tally;
    console.log(`${failed > 0 ? red('✗') : green('✓')} ${name}: ${passed} passed, ${failed} failed`);
  }
  const { passed, failed, skipped } = total(tallies);
  console.log(`\n${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
  return failed > 0 ? 1 : 0;
}

interface Suite {
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
const suites: readonly Suite[] = [
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

interface Tally {
  passed: number;
  failed: number;
  skipped: number;
}

export const total = (tallies: Tally[]): Tally => ({
  passed: tallies.reduce((sum, { passed }) => sum + passed, 0),
  failed: tallies.reduce((sum, { failed }) => sum + failed, 0),
  skipped: tallies.reduce((sum, { skipped }) => sum + skipped, 0),
});

/** A tool that either holds or does not counts as one. */
export const oneFor = (code: number): Tally =>
  code === 0 ? { passed: 1, failed: 0, skipped: 0 } : { passed: 0, failed: 1, skipped: 0 };

/** A runner that failed without naming a test (a file that does not load, a crash) has failed once. */
const atLeastOne = (tally: Tally, code: number): Tally =>
  code !== 0 && tally.failed === 0 ? { ...tally, failed: 1 } : tally;

export function vitestTally(report: string, code: number): Tally {
  if (!existsSync(report)) return oneFor(code === 0 ? 1 : code);
  const read = JSON.parse(readFileSync(report, 'utf8'));
  return atLeastOne(
    {
      passed: read.numPassedTests,
      failed: read.numFailedTests,
      skipped: read.numPendingTests + read.numTodoTests,
    },
    code,
  );
}

function playwrightTally(report: string, code: number): Tally {
  if (!existsSync(report)) return oneFor(code === 0 ? 1 : code);
  const { stats } = JSON.parse(readFileSync(report, 'utf8'));
  // A test that needed a second try has not passed.
  return atLeastOne(
    { passed: stats.expected, failed: stats.unexpected + stats.flaky, skipped: stats.skipped },
    code,
  );
}

interface Tool {
  name: string;
  /** The tests that need it; where they are not, it is not fetched. */
  neededBy: string;
  isThere(): Promise<boolean>;
  packages: string;
  /** Where there is no apt, or nobody who may use it. */
  install: string[] | undefined;
  byHand: string;
}

const tools: readonly Tool[] = [
  {
    name: 'Chromium',
    neededBy: 'test/e2e',
    isThere: async () => (await findChromium()) !== undefined,
    packages: 'chromium',
    install: [process.execPath, 'node_modules/@playwright/test/cli.js', 'install', 'chromium'],
    byHand: 'Install Chromium, or name one that is there: TESSERA_CHROMIUM=/path/to/chromium npm test',
  },
  {
    name: 'PyTorch',
    neededBy: 'test/services/training',
    isThere: async () => {
      const python = findPython(readConfig().TESSERA_PYTHON);
      return python !== undefined && runPython(python, 'import torch, numpy') !== undefined;
    },
    packages: debianPackages.join(' '),
    install: undefined,
    byHand:
      'Install PyTorch and NumPy, or name a Python that has them: TESSERA_PYTHON=/path/to/python3 npm test',
  },
];

/** Installs what the tests need and the machine lacks: through apt as root, else as the tool itself can. */
async function ensureTools(): Promise<void> {
  for (const tool of tools) {
    if (!existsSync(path.join(projectFolder, tool.neededBy)) || (await tool.isThere())) continue;
    console.log(`${tool.name} is missing; installing it …`);
    install(tool);
    if (!(await tool.isThere())) console.error(`${tool.name} could not be installed. ${tool.byHand}`);
  }
}

function install(tool: Tool): void {
  const options = { cwd: projectFolder, stdio: 'inherit' } as const;
  const apt = aptGet(tool.packages);
  if (apt && process.getuid?.() === 0) {
    spawnSync('/bin/sh', ['-c', `apt-get update && ${apt}`], {
      ...options,
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    });
    return;
  }
  const [program, ...args] = tool.install ?? [];
  if (program) spawnSync(program, args, options);
}
