/**
 * Chaos: breaks an instance on purpose and checks what is left of it. The exit code is 0 when every invariant held,
 * 1 when one was broken, and 2 when the scenario could not be run on this machine.
 *
 *   npm run chaos -- [kills]      [--kills 100] [--web 1] [--workers 1] [--crowd 24] [--speed 6] [--seed 1]
 *   npm run chaos -- activities   [--rounds 10] [--seed 1]
 *   npm run chaos -- disk         [--megabytes 700] [--times 3] [--seconds 20] [--crowd 12]
 *   npm run chaos -- clock        [--seconds 20] [--crowd 12]
 *
 * All of them take --keep (leave the folder of the instance) and --json.
 */
import { NotPossible } from './instance';

const scenarios: Record<string, () => Promise<{ run(args: string[]): Promise<boolean> }>> = {
  kills: () => import('./at-random'),
  activities: () => import('./activities'),
  disk: () => import('./disk'),
  clock: () => import('./clock'),
};

const [first = '', ...rest] = process.argv.slice(2);
const isNamed = first in scenarios;
const load = scenarios[isNamed ? first : 'kills'] as (typeof scenarios)[string];
try {
  const isSound = await (await load()).run(isNamed ? rest : process.argv.slice(2));
  process.exit(isSound ? 0 : 1);
} catch (error) {
  if (!(error instanceof NotPossible)) throw error;
  console.error(`This scenario was not run: ${error.message}`);
  process.exit(2);
}
