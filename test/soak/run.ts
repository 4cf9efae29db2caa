import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { freePort } from '@/db/embedded';
import { projectFolder } from '@/lib/config';
import { copyHome, prepareHome, removeHome } from '@/test/e2e/support/instance';
import {
  argumentsFor,
  nameOf,
  type Result,
  readResults,
  remainingIn,
  reportOf,
  type Story,
} from './soak-state';

/**
 * `npm run test:soak`: every browser story many times while other programs use the processor. A round has an instance
 * of its own, as `npm test` has; `--lanes 3` runs three rounds side by side. Results are kept after every story: run it
 * again and it continues; `--fresh` begins anew. Ends with 1 if any story has failed in any round.
 */
const { values } = parseArgs({
  options: {
    times: { type: 'string', default: '20' },
    only: { type: 'string', default: '' },
    load: { type: 'string', default: String(os.availableParallelism()) },
    lanes: { type: 'string', default: '1' },
    fresh: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
});
const times = countOf('times', values.times, 1);
const load = countOf('load', values.load, 0);
const lanes = countOf('lanes', values.lanes, 1);

const folder = path.join(projectFolder, 'test-results', 'soak');
const resultsFile = path.join(folder, 'results.jsonl');
const playwright = path.join(projectFolder, 'node_modules', '@playwright', 'test', 'cli.js');

function countOf(name: string, text: string, min: number): number {
  const count = Number(text);
  if (Number.isInteger(count) && count >= min) return count;
  console.error(`--${name} must be a whole number from ${min}, but is "${text}".`);
  process.exit(2);
}

interface Suite {
  file: string;
  specs?: { title: string; file: string; line: number }[];
  suites?: Suite[];
}

function listStories(): Story[] {
  const { stdout } = spawnSync(process.execPath, [playwright, 'test', '--list', '--reporter=json'], {
    cwd: projectFolder,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  });
  const { suites, config } = JSON.parse(stdout) as { suites: Suite[]; config: { rootDir: string } };
  const flat = (list: readonly Suite[]): Story[] =>
    list.flatMap(({ specs = [], suites: inner = [] }) => [
      ...specs.map(({ title, file, line }) => ({
        file: path.relative(projectFolder, path.join(config.rootDir, file)),
        line,
        title,
      })),
      ...flat(inner),
    ]);
  return flat(suites);
}

const results = (): Result[] =>
  existsSync(resultsFile) ? readResults(readFileSync(resultsFile, 'utf8')) : [];

/** Busy processes that end with this one. */
function burn(): ChildProcess[] {
  const busy = `process.on('disconnect', () => process.exit()); const spin = () => { const end = Date.now() + 50; while (Date.now() < end); setImmediate(spin); }; spin();`;
  return Array.from({ length: load }, () =>
    spawn(process.execPath, ['-e', busy], { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] }),
  );
}

const running = new Set<ChildProcess>();
let isStopped = false;

async function runRound(round: number, wanted: readonly Story[], all: readonly Story[]): Promise<void> {
  const home = copyHome(prepared);
  const port = await freePort();
  const args = [
    ...['test', ...argumentsFor(wanted, all), '--reporter=list,./test/soak/reporter.ts'],
    `--output=test-results/soak/round-${round}`,
  ];
  const child = spawn(process.execPath, [playwright, ...args], {
    cwd: projectFolder,
    env: {
      ...process.env,
      TESSERA_E2E_PORT: String(port),
      TESSERA_E2E_HOME: home,
      TESSERA_SOAK_RESULTS: resultsFile,
      TESSERA_SOAK_ROUND: String(round),
    },
    stdio: ['ignore', values.json ? 'ignore' : 'inherit', 'inherit'],
  });
  running.add(child);
  await new Promise((done) => child.once('close', done));
  running.delete(child);
  removeHome(home);
  if (isStopped) return;
  // The instance did not start or has died: a story that never ran has not passed.
  const ended = new Set(
    results()
      .filter((each) => each.round === round)
      .map(nameOf),
  );
  for (const { file, title } of wanted.filter((story) => !ended.has(nameOf(story)))) {
    const result: Result = { round, file, title, isPassed: false, ms: 0, problem: 'The story did not run.' };
    appendFileSync(resultsFile, `${JSON.stringify(result)}\n`);
  }
}

if (values.fresh) rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
const built = spawnSync(process.execPath, ['bin/tessera.mjs', 'build'], {
  cwd: projectFolder,
  stdio: ['ignore', values.json ? 'ignore' : 'inherit', 'inherit'],
});
if (built.status !== 0) process.exit(1);

const all = listStories();
const stories = all.filter((story) => nameOf(story).includes(values.only));
if (stories.length === 0) {
  console.error(`No story has "${values.only}" in its file or title.`);
  process.exit(2);
}

const prepared = await prepareHome();
const burners = burn();
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => {
    isStopped = true;
    for (const child of running) child.kill('SIGINT');
  });
let next = 1;
async function runLane(): Promise<void> {
  while (next <= times && !isStopped) {
    const round = next++;
    const wanted = remainingIn(round, stories, results());
    if (wanted.length === 0) continue;
    if (!values.json)
      console.log(
        `\n── round ${round} of ${times}: ${wanted.length} of ${stories.length} stories, load ${load}`,
      );
    await runRound(round, wanted, all);
  }
}
await Promise.all(Array.from({ length: lanes }, runLane));
removeHome(prepared);
for (const burner of burners) burner.kill('SIGKILL');

const counted = results().filter(({ round }) => round <= times);
const report = reportOf(stories, counted);
const failed = report.filter((story) => story.failed > 0);
const passes = report.reduce((sum, story) => sum + story.passed, 0);
const failures = report.reduce((sum, story) => sum + story.failed, 0);
if (values.json) {
  console.log(
    JSON.stringify({
      times,
      load,
      isComplete: !isStopped,
      passed: passes,
      failed: failures,
      stories: report,
    }),
  );
} else {
  console.log('');
  for (const { story, passed, failed: count, problems } of report) {
    console.log(`${count > 0 ? '✗' : '✓'} ${story}: ${passed} passed, ${count} failed`);
    for (const { round, problem } of problems) console.log(`    round ${round}: ${problem}`);
  }
  console.log(
    `\n${stories.length} stories, ${passes} passed, ${failures} failed, ${failed.length} stories with failures`,
  );
  if (isStopped) console.log('Stopped. Run it again to continue.');
}
process.exit(failures > 0 || isStopped ? 1 : 0);
