import { parseArgs } from 'node:util';
import { createRng } from '@/lib/demo/scenes/prng';
import { disturbWork } from './crowd-at-work';
import { killAtRandom } from './kill';
import { conclude, onInstance, say } from './report';

/** Kills web, worker and database at random with `kill -9`; they come back by themselves. */
export async function run(args: string[]): Promise<boolean> {
  const { values } = parseArgs({
    args,
    options: {
      kills: { type: 'string', default: '100' },
      web: { type: 'string', default: '1' },
      workers: { type: 'string', default: '1' },
      crowd: { type: 'string', default: '24' },
      speed: { type: 'string', default: '6' },
      seed: { type: 'string', default: '1' },
      keep: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
    },
  });
  const kills = Number(values.kills);
  const seed = Number(values.seed);
  const work = { crowd: Number(values.crowd), speed: Number(values.speed), seed, seconds: 60 + kills * 50 };
  const size = { web: Number(values.web), workers: Number(values.workers) };
  return onInstance(values, size, async (instance) => {
    const { facts, outcomes } = await disturbWork(instance, work, async (floor) => ({
      kills: await killAtRandom(instance, {
        kills,
        random: createRng(seed).fork('kills'),
        answers: () => floor.done.length,
        onKill: (kind, n) =>
          (n % 10 === 0 || n === kills) && say(`${n} kills (${kind}), ${floor.done.length} answers`),
      }),
    }));
    return conclude(facts, outcomes, values.json);
  });
}
