import { mkdirSync } from 'node:fs';
import { green, red } from '../terminal/text';
import { suites } from './suites';
import { type Tally, total } from './tally';
import { ensureTools } from './tools';

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
