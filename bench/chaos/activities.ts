import { parseArgs } from 'node:util';
import { connect } from '@/db';
import { createRng } from '@/lib/demo/scenes/prng';
import { checkFiles } from '@/lib/services/invariants/check-files';
import { checkRules, type Outcome } from '@/lib/services/invariants/check-rules';
import { storage } from '@/lib/services/storage';
import { collectBlobs } from '@/lib/services/storage/collect-blobs';
import { capabilitiesHere } from '@/lib/services/training/launch/python';
import { ArchiveActivities } from './archive-activities';
import { conclude, drain, type Instance, NotPossible, onInstance, outcomeOf, say } from './instance';
import { JobActivities } from './job-activities';
import { killDuringUpload } from './upload-activity';

interface Options {
  rounds: string;
  seed: string;
  keep: boolean;
  json: boolean;
}

/** How often an activity was begun, and how often the kill came while it was under way. */
export interface Hits {
  begun: number;
  hit: number;
}

/**
 * Kills a process with `kill -9` at a random moment of one activity: a file that is being uploaded, pictures that
 * are read in, a dataset that is imported, a version that is frozen, a consensus that is built or taken back, a
 * model that is trained, a backup that is written or restored. Each has to be resumed or rolled back.
 */
export async function run(args: string[]): Promise<boolean> {
  const { values } = parseArgs({
    args,
    options: {
      rounds: { type: 'string', default: '10' },
      seed: { type: 'string', default: '1' },
      keep: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
    },
  });
  return onInstance(values, { web: 1, workers: 1 }, (instance) => killDuring(instance, values));
}

async function killDuring(instance: Instance, options: Options): Promise<boolean> {
  process.env.TESSERA_HOME = instance.home;
  const db = connect(instance.databaseUrl, { max: 3 });
  const rounds = Number(options.rounds);
  const random = createRng(Number(options.seed)).fork('activities');
  const { missing } = await capabilitiesHere();
  const jobs = await JobActivities.prepare(instance, db, { trains: !missing });
  say(`an undisturbed round of ${jobs.names.join(', ')}`);
  await jobs.undisturbed();
  say(`now ${rounds} rounds with a kill of the worker`);
  for (let round = 1; round <= rounds; round++) {
    const started = await jobs.begin(round);
    const aim = await jobs.untilWithin(round, started, random);
    const [worker] = instance.processesOf('worker');
    const running = await jobs.running(started);
    if (worker) process.kill(worker, 'SIGKILL');
    jobs.count(started, running);
    say(`round ${round} (${aim}): killed the worker while ${running.join(', ') || 'nothing'} ran`);
    await jobs.check(round, started);
  }
  say(`${rounds} uploads with a kill of the web server`);
  const uploads = await killDuringUpload(instance, db, jobs.curator, { rounds, random });
  await drain(db);
  say(`${rounds} backups and restores with a kill of the command`);
  const archives = new ArchiveActivities(instance, db);
  await archives.killBackups(rounds, random);
  await archives.killRestores(rounds, random);

  await drain(db);
  const collected = await collectBlobs(db, storage(), { graceMs: 0 });
  const outcomes: Outcome[] = [
    outcomeOf(
      'upload',
      'a file whose server was killed is there once after it was sent again',
      uploads.broken,
    ),
    ...jobs.outcomes(),
    ...archives.outcomes(),
    ...(await checkRules(db)),
    ...(await checkFiles(db, storage())),
  ];
  await db.$client.end();
  const hits = { upload: uploads.hits, ...jobs.hits, ...archives.hits };
  const isSound = conclude({ rounds, hits, collected }, outcomes, options.json);
  if (missing) throw new NotPossible(`training needs PyTorch (${missing}); all else was run.`);
  return isSound;
}
