import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { endpoints } from '@/app/api/v1/endpoints';
import { connect } from '@/db';
import { commandLine } from '@/db/embedded';
import { readSecrets } from '@/lib/config/secrets';
import { createRng } from '@/lib/core/robustness/random';
import { childrenOf, startTessera, temporaryHome } from '../support/instance';
import { oneOfEach } from '../support/one-of-each';
import { attackBodies } from './attack-bodies';
import { attackPages } from './attack-pages';
import { attackUploads } from './attack-uploads';
import { attackOn } from './attacks';
import { Campaign } from './campaign';
import { hostileFiles } from './files';
import { goodFiles, readHostile, spoiled } from './readers';

/** Of one process of ours; a web process under load keeps some hundred megabytes. */
const mostBytes = 2.5 * 1024 ** 3;
const everyMs = 250;

/** Watches the greatest memory of web and worker, in bytes, by their names. */
function watchMemory(pids: readonly number[], blame: (fault: string) => void) {
  const most: Record<string, number> = {};
  const nameOf = (pid: number) => (commandLine(pid)?.includes('worker') ? 'worker' : 'web');
  const named = pids.map((pid) => ({ pid, name: nameOf(pid) }));
  const timer = setInterval(() => {
    for (const { pid, name } of named) {
      const bytes = residentBytes(pid);
      if (bytes > mostBytes && (most[name] ?? 0) <= mostBytes)
        blame(`the ${name} process took too much memory`);
      most[name] = Math.max(most[name] ?? 0, bytes);
    }
  }, everyMs);
  return {
    stop(): Record<string, number> {
      clearInterval(timer);
      return most;
    },
  };
}

function residentBytes(pid: number): number {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}

/**
 * `npm run fuzz -- --seed 1 --minutes 20`: hostile requests, pages, bodies, uploads and files against a Tessera of its
 * own, with its real web, worker and database. Fails on a fault, on a process that ended, on memory beyond the bound.
 */
const { values } = parseArgs({
  options: { seed: { type: 'string', default: '1' }, minutes: { type: 'string', default: '20' } },
});
const lasts = Number(values.minutes) * 60_000;

/** What each part gets of the time. */
const parts: readonly [number, (campaign: Campaign) => Promise<void>][] = [
  [0.3, attackEndpoints],
  [0.2, attackPages],
  [0.15, attackBodies],
  [0.25, attackUploads],
  [0.1, attackReaders],
];

const place = await temporaryHome();
const instance = startTessera(['start'], place.env);
let isClean = false;
try {
  await instance.says('is running at');
  process.env.TESSERA_HOME = place.home;
  process.env.TESSERA_SECRET = readSecrets(place.home)?.secret;
  process.env.TESSERA_URL = place.url;
  process.env.DATABASE_URL = place.server()?.url('tessera');
  const db = connect(place.server()?.url('tessera') ?? '');
  const campaign = new Campaign(place.url, db, createRng(`fuzz ${values.seed}`), await hostileFiles());
  const blame = (fault: string) => campaign.blame(fault);
  const children = childrenOf(instance.process.pid as number);
  const watch = watchMemory(children, blame);
  for (const [share, attack] of parts) {
    campaign.begin(share * lasts);
    await attack(campaign);
  }
  const most = watch.stop();
  const left = childrenOf(instance.process.pid as number);
  if (String(left) !== String(children)) blame(`a process ended: ${children} became ${left}`);
  for (const line of instance.output().split('\n'))
    if (/has died|crash/i.test(line)) blame(`the starter said: ${line}`);
  await db.$client.end();
  report(campaign, most);
  isClean = campaign.faults.size === 0;
} finally {
  instance.process.kill('SIGTERM');
  await instance.ended;
  await place.remove();
}
process.exit(isClean ? 0 : 1);

/** Requests after which things are made anew, because hostile requests delete and archive them. */
async function attackEndpoints(campaign: Campaign): Promise<void> {
  const { chance, files } = campaign;
  for (let round = 0; !campaign.isOver(); round++) {
    const world = await oneOfEach(campaign.db, `C${round}`);
    const armoury = { chance, ids: world.ids, callers: await campaign.callersOf(world), files };
    const attacks = [1, 2, 3, 4].flatMap(() => endpoints.map((entry) => attackOn(entry, armoury)));
    await campaign.sendAll('endpoints', attacks);
    campaign.tell('endpoints');
  }
}

/** The readers of formats in this process, where they are quicker than through the door. */
async function attackReaders(campaign: Campaign): Promise<void> {
  const good = await goodFiles();
  for (let n = 0; !campaign.isOver(); n++) {
    const { format, files: set } = good[n % good.length] as (typeof good)[number];
    const fault = await readHostile(format, spoiled(set, campaign.files, campaign.chance));
    if (fault) campaign.blame(fault);
    campaign.counts.readers = (campaign.counts.readers ?? 0) + 1;
  }
  campaign.tell('readers');
}

function report({ counts, statuses, faults }: Campaign, most: Record<string, number>): void {
  const total = Object.values(counts).reduce((sum, n) => sum + n, 0) - (counts.jobs ?? 0);
  console.log(`\n${total} hostile inputs (seed ${values.seed}, ${values.minutes} minutes):`, counts);
  console.log('answers by status:', statuses);
  for (const [name, bytes] of Object.entries(most))
    console.log(`most memory of the ${name} process: ${Math.round(bytes / 1e6)} MB`);
  console.log(`${faults.size} kinds of fault`);
  for (const [fault, n] of faults) console.log(`  ${n} × ${fault}`);
}
