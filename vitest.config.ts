import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  resolve: { alias: { '@': fileURLToPath(new URL('.', import.meta.url)) } },
  test: {
    include: ['test/**/*.test.ts', 'test/**/*.test.tsx'],
    globalSetup: 'test/global-setup.ts',
    // What the starter gives to the processes of the product; the database and the home come per file.
    env: {
      TESSERA_SECRET: 'a secret for tests, and for tests only',
      TESSERA_URL: 'http://localhost:3000',
      TESSERA_LOG_LEVEL: 'silent',
    },
    // Against tests that hang, not slow ones: the machine may be busy.
    testTimeout: 120_000,
    hookTimeout: 180_000,
    pool: 'forks',
    // Half of a file's time is the database's, which is another process: on two cores one worker leaves one idle.
    maxWorkers: 2,
  },
});
