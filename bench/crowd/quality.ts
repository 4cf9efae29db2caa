/**
 * The quality experiment: the same crowd works for the same money under RIVAL10's protocol and under Tessera's
 * default, on the real services and a real PostgreSQL. Prints a table in Markdown.
 *
 *   npm run bench:crowd -- [--seeds 1,2,3] [--workers 14] [--dollars 300] [--json]
 */
import { parseArgs } from 'node:util';
import { castCrew, defaultMix } from '@/lib/demo/simulation/crew';
import { KnownScenes } from '@/lib/demo/simulation/known-scenes';
import { cloneDatabase, startTestServer } from '@/test/support/server';
import type { RunResult } from './outcome';
import { protocols } from './protocols';
import { behaviourTable, qualityTable } from './quality-table';
import { runProtocol } from './run-protocol';

// What the starter gives to the processes of the product: links to pictures are signed with it.
process.env.TESSERA_SECRET ??= 'a secret for benches, and for benches only';

const { values: options } = parseArgs({
  options: {
    seeds: { type: 'string', default: '1,2,3' },
    workers: { type: 'string', default: '14' },
    dollars: { type: 'string', default: '300' },
    json: { type: 'boolean', default: false },
  },
});

const scenes = new KnownScenes('rival10');
const server = await startTestServer();
try {
  const results = new Map<string, RunResult[]>();
  for (const seed of options.seeds.split(',').map(Number)) {
    const crew = castCrew(defaultMix, Number(options.workers), seed);
    for (const protocol of protocols) {
      const { db, drop } = await cloneDatabase(server.adminUrl);
      const budgetMicro = BigInt(options.dollars) * 1_000_000n;
      const result = await runProtocol({ db, scenes, protocol, crew, budgetMicro });
      await drop();
      results.set(protocol.name, [...(results.get(protocol.name) ?? []), result]);
    }
    // A run takes minutes: what is known so far, for whoever waits.
    console.error(`After seed ${seed}:\n${qualityTable(results)}\n`);
  }
  const plain = (_: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value);
  console.log(
    options.json
      ? JSON.stringify([...results], plain, 2)
      : `${qualityTable(results)}\n\n${behaviourTable(results)}`,
  );
} finally {
  await server.stop();
}
