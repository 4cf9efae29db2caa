/**
 * How long does a consensus of many masks take as a job, and how much memory? Fills a throw-away database, builds
 * a run, takes it back, and measures the merging alone in the same run, to tell the method from the database.
 *
 *   npm run bench:consensus [-- --masks 100000 --overlap 3 --method pixel-majority]
 */
import { parseArgs } from 'node:util';
import { sql } from 'drizzle-orm';
import { type Database, newId, tables } from '@/db';
import { maskAggregators } from '@/lib/core/quality/aggregate/masks';
import { buildConsensus } from '@/lib/services/curation/consensus/build-consensus';
import { mergeMasks } from '@/lib/services/curation/consensus/merger';
import { defaultMethod } from '@/lib/services/curation/consensus/methods';
import { readItems } from '@/lib/services/curation/consensus/read-items';
import { takeBack } from '@/lib/services/curation/consensus/take-back';
import { cloneDatabase, startTestServer } from '@/test/support/server';
import { fill } from './consensus-data';

const { values: options } = parseArgs({
  options: {
    masks: { type: 'string', default: '100000' },
    overlap: { type: 'string', default: '3' },
    method: { type: 'string' },
  },
});
const [masks, overlap] = [Number(options.masks), Number(options.overlap)];
const method = options.method ?? defaultMethod('object-mask', overlap).method.id;

let peak = 0;
let reports = 0;
const context = (db: Database) => ({
  db,
  signal: new AbortController().signal,
  progress: async () => {
    reports++;
    peak = Math.max(peak, process.memoryUsage().rss);
  },
});

async function timed(run: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await run();
  return (performance.now() - start) / 1000;
}

/** Seconds for all masks, from a sample that is read beforehand. */
async function mergingAlone(db: Database, stageId: string): Promise<number> {
  const aggregator = maskAggregators.find(({ id }) => id === method);
  if (!aggregator) throw new Error(`There is no method ${method}.`);
  const sample = await readItems(db, { where: sql`i.stage_id = ${stageId}`, order: sql`i.id`, limit: 1000 });
  const seconds = await timed(async () => {
    for (const item of sample) mergeMasks(item, aggregator);
  });
  return (seconds / sample.length) * masks;
}

const server = await startTestServer();
const { db, drop } = await cloneDatabase(server.adminUrl);
try {
  const { projectId, stageId } = await fill(db, masks, overlap);
  const before = process.memoryUsage().rss;
  const runId = newId();
  await db.insert(tables.consensusRuns).values({ id: runId, projectId, stageId, method });
  const built = await timed(() => buildConsensus(context(db), { runId }));
  // Afterwards, when the code is as warm as it was in the job.
  const alone = await mergingAlone(db, stageId);
  const undone = await timed(() => takeBack(context(db), { runId }));
  const [run] = await db.select().from(tables.consensusRuns);
  const perSecond = (seconds: number) => Math.round(masks / seconds).toLocaleString('en');
  const megabytes = (bytes: number) => Math.round(bytes / 1e6);
  console.log(`${masks.toLocaleString('en')} masks of 256 × 256, overlap ${overlap}, ${method}\n`);
  console.log('| step | seconds | masks a second |\n|---|--:|--:|');
  console.log(`| build, as a job | ${built.toFixed(1)} | ${perSecond(built)} |`);
  console.log(`| of that, merging alone | ${alone.toFixed(1)} | ${perSecond(alone)} |`);
  console.log(`| take back | ${undone.toFixed(1)} | ${perSecond(undone)} |`);
  console.log(
    `\nPeak memory ${megabytes(peak)} MB (${megabytes(before)} MB before), ${reports} progress reports.`,
  );
  console.log(`Outcome: ${JSON.stringify(run?.result)}`);
} finally {
  await drop();
  await server.stop();
}
