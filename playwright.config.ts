import { defineConfig } from '@playwright/test';
import { findChromium } from './bin/tools';
import { instanceEnvironment, isRunning } from './test/e2e/support/instance';

const port = process.env.TESSERA_E2E_PORT ?? '3999';
// `npm test` gives a fresh folder; by hand, the one of the last run makes the start quicker.
const home = process.env.TESSERA_E2E_HOME ?? 'test-results/instance';

export default defineConfig({
  testDir: 'test/e2e',
  outputDir: 'test-results/browser',
  // The tests share one instance, and two cores.
  workers: 1,
  timeout: 60_000,
  expect: { timeout: 15_000 },
  use: {
    baseURL: `http://localhost:${port}`,
    // Of what every page did, at every step: a fifth of the time, which an ordinary run is better without.
    trace: process.env.TESSERA_TRACE ? 'retain-on-failure' : 'off',
    screenshot: 'only-on-failure',
    // A page of a story's made-up site may show one of this machine in a frame.
    launchOptions: {
      executablePath: await findChromium(),
      args: ['--disable-features=LocalNetworkAccessChecks'],
    },
  },
  webServer: {
    command: 'node bin/tessera.mjs start',
    wait: { stdout: isRunning },
    stdout: 'pipe',
    env: instanceEnvironment(port, home),
    timeout: 300_000,
    gracefulShutdown: { signal: 'SIGTERM', timeout: 20_000 },
  },
});
