import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const files = readdirSync('test', { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.test\.tsx?$/.test(file))
  .map((file) => `test/${file}`);
/** Of arithmetic, formats and words alone: such files do nothing to their process, and can share one and its modules. */
const isPlain = (file: string) =>
  /^test\/(aggregate|annotate|annotator|audit-queue|consensus|demo|derive|evaluation|formats|geometry|mask|overview|quality|schema|setup|simulation|splits|statistics|ui)\//.test(
    file,
  ) &&
  !/support\/(?!formats|tiny)|child_process|worker_threads|process\.|globalThis|vi\./.test(
    readFileSync(file, 'utf8'),
  );

/**
 * On a database, and perhaps a home, of their own, and nothing else of the machine: they can share a process too. Those
 * that call endpoints cannot: how much a visitor may ask is counted by the process.
 */
const isStory = (file: string) => {
  const text = readFileSync(file, 'utf8');
  return (
    /support\/database/.test(text) &&
    !/child_process|worker_threads|process\.|globalThis|vi\.|app\/api|support\/(instance|api-server)/.test(
      text,
    )
  );
};

/** Files that take longest: begun last, one of them would leave the other workers idle for a minute. */
const LONGEST = [
  'training/trainer',
  'training/remote',
  'run/start',
  'training/slurm',
  'training/ranks',
  'auth/policy-over-http',
  'run/refusals',
  'crowd/races',
  'jobs/jobs',
  'evaluation/evaluate',
  'evaluation/uploads',
  'backup/backup',
  'evaluation/plan-and-compare',
  'jobs/crash',
  'datasets/export-faults',
];

const place = ({ moduleId }: TestSpecification) => {
  const found = LONGEST.findIndex((name) => moduleId.includes(`/test/${name}.test.`));
  return found === -1 ? LONGEST.length : found;
};

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).toSorted((a, b) => place(a) - place(b));
  }
}

export default defineConfig({
  resolve: { alias: { '@': fileURLToPath(new URL('.', import.meta.url)) } },
  test: {
    // What the starter gives to the processes of the product; the database and the home come per file.
    env: {
      TESSERA_SECRET: randomBytes(32).toString('base64url'),
      TESSERA_URL: 'http://localhost:3000',
      TESSERA_LOG_LEVEL: 'silent',
    },
    // Against tests that hang, not slow ones: the machine may be busy.
    testTimeout: 120_000,
    hookTimeout: 180_000,
    pool: 'forks',
    // Half of a file's time is that of the database or of a child process: as many workers as cores leave one idle.
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
    projects: [
      { extends: true, test: { name: 'plain', include: files.filter(isPlain), isolate: false } },
      {
        extends: true,
        test: {
          name: 'stories',
          include: files.filter((file) => !isPlain(file) && isStory(file)),
          isolate: false,
          globalSetup: 'test/global-setup.ts',
        },
      },
      {
        extends: true,
        test: {
          name: 'whole',
          include: files.filter((file) => !isPlain(file) && !isStory(file)),
          globalSetup: 'test/global-setup.ts',
        },
      },
    ],
  },
});
