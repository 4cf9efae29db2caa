import { existsSync, readFileSync } from 'node:fs';

export interface Tally {
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

export function playwrightTally(report: string, code: number): Tally {
  if (!existsSync(report)) return oneFor(code === 0 ? 1 : code);
  const { stats } = JSON.parse(readFileSync(report, 'utf8'));
  // A test that needed a second try has not passed.
  return atLeastOne(
    { passed: stats.expected, failed: stats.unexpected + stats.flaky, skipped: stats.skipped },
    code,
  );
}
