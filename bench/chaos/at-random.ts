import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { createRng, type Rng } from '@/lib/demo/scenes/prng';
import { disturbWork } from './crowd-at-work';
import { conclude, type Instance, type Kind, kinds, onInstance, say } from './instance';

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

/** Milliseconds before a kill. */
const BETWEEN = [500, 4000] as const;
/** So many kills of a hundred come before the last one is mended: a restart is a moment like any other. */
const IN_RECOVERY = 25;
/** Milliseconds after which the next kill comes although nothing got through since the last. */
const LONGEST = 40_000;

type Kills = Record<Kind, number>;

interface Killing {
  kills: number;
  random: Rng;
  /** Answers that got through so far. */
  answers(): number;
  onKill(kind: Kind, done: number): void;
}

/**
 * Kills processes at random, by the signal that nobody can catch, until it has killed as many as asked. As a rule
 * work goes on before the next one: kills of an instance that does nothing would prove little.
 */
async function killAtRandom(instance: Instance, { kills, random, answers, onKill }: Killing): Promise<Kills> {
  const done: Kills = { web: 0, worker: 0, database: 0 };
  for (let n = 0; n < kills; ) {
    const before = answers();
    const deadline = Date.now() + (random.integer(1, 100) <= IN_RECOVERY ? 0 : LONGEST);
    while (answers() === before && Date.now() < deadline) await sleep(100);
    await sleep(random.integer(...BETWEEN));
    const there = kinds
      .map((kind) => ({ kind, pids: instance.processesOf(kind) }))
      .filter(({ pids }) => pids.length > 0);
    if (there.length === 0) continue;
    const { kind, pids } = random.pick(there);
    try {
      process.kill(random.pick(pids), 'SIGKILL');
    } catch {
      // It has ended since we looked.
      continue;
    }
    done[kind] += 1;
    n += 1;
    onKill(kind, n);
  }
  return done;
}
