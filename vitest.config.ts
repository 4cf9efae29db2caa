import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const files = readdirSync('test', { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.test\.tsx?$/.test(file))
  .map((file) => `test/${file}`);
/** What a file may not do to a process that others use after it: change it, its clock or its world, or start a product. */
const CHANGES =
  /child_process|worker_threads|process\.(?!env\.DATABASE_URL\b)|globalThis|vi\.|support\/(instance|api-server|server)/;

const sharing = files.filter((file) => !CHANGES.test(readFileSync(file, 'utf8')));

/** Files that take longest: begun last, one of them would leave the other workers idle for a minute. */
const LONGEST = [
  'services/training/trainer',
  'services/training/remote',
  'run/start',
  'services/training/slurm',
  'services/training/ranks',
  'services/access/policy-over-http',
  'run/refusals',
  'services/crowd/races',
  'services/jobs/jobs',
  'services/evaluations/evaluate',
  'services/evaluations/uploads',
  'services/backup/backup',
  'services/backup/hostile',
  'services/evaluations/plan-and-compare',
  'services/jobs/crash',
  'services/datasets/export-faults',
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
    globalSetup: 'test/global-setup.ts',
    // A process of their own costs most files more than their tests do.
    projects: [
      { extends: true, test: { name: 'together', include: sharing, isolate: false } },
      {
        extends: true,
        test: { name: 'apart', include: files.filter((file) => !sharing.includes(file)) },
      },
    ],
  },
});
