/**
 * Attacks hidden checks with nothing but what a worker sees.
 *
 *   npm run adversary -- [--batches 300] [--rounds 40] [--kinds attributes,part-mask] [--json]
 */
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { forgetDatabase } from '@/db';
import { storage } from '@/lib/services/storage';
import { cloneDatabase, startTestServer } from '@/test/support/server';
import { attacks, residualAttacks } from './active';
import { type Findings, runAdversary, stageKinds } from './adversary';

const { values: options } = parseArgs({
  options: {
    batches: { type: 'string', default: '300' },
    rounds: { type: 'string', default: '40' },
    kinds: { type: 'string', default: stageKinds.join() },
    json: { type: 'boolean', default: false },
  },
});

const home = mkdtempSync(path.join(os.tmpdir(), 'tessera-adversary-'));
process.env.TESSERA_HOME = home;
process.env.TESSERA_SECRET ??= 'adversary-adversary-adversary-adversary';
const server = await startTestServer();
const { db, url, drop } = await cloneDatabase(server.adminUrl);
process.env.DATABASE_URL = url;
try {
  const findings = await runAdversary(db, storage(), {
    kinds: stageKinds.filter((kind) => options.kinds.split(',').includes(kind)),
    batches: Number(options.batches),
    rounds: Number(options.rounds),
    onProgress: (text) => console.error(text),
  });
  if (options.json) console.log(JSON.stringify(findings));
  else print(findings);
} finally {
  await forgetDatabase();
  await drop();
  await server.stop();
  rmSync(home, { recursive: true, force: true });
}

function print({ passive, active, residual, honest }: Findings): void {
  console.log(`\n| stage kind | AUC | 95% interval | checks / items |\n| --- | --- | --- | --- |`);
  for (const [kind, { auc, low, high, positives, cases }] of Object.entries(passive))
    console.log(
      `| ${kind} | ${auc.toFixed(3)} | ${low.toFixed(3)}-${high.toFixed(3)} | ${positives} / ${cases} |`,
    );
  console.log(
    `\n| attack | checks found | by blind guessing | p | checks | checks passed |\n| --- | --- | --- | --- | --- | --- |`,
  );
  for (const attack of [...attacks, ...residualAttacks]) {
    const outcome = active[attack.name] ?? residual[attack.name];
    if (!outcome) continue;
    const cells = [
      attack.name,
      percent(outcome.found),
      percent(outcome.chance),
      outcome.p.toFixed(3),
      outcome.checks,
      outcome.passed === null ? '–' : percent(outcome.passed),
    ];
    console.log(`| ${cells.join(' | ')} |`);
  }
  if (honest !== null) console.log(`\nHonest workers pass ${percent(honest)} of the checks.`);
}

function percent(value: number): string {
  return `${(100 * value).toFixed(1)}%`;
}
