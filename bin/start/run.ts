import { type Config, readConfig } from '@/lib/config';
import { ensureHome } from '@/lib/config/home';
import { ensureSecrets } from '@/lib/config/secrets';
import { TesseraError } from '@/lib/core/errors';
import { openDatabase } from '../database/open';
import { ensurePrepared } from '../database/prepared';
import { terminalProgress } from '../terminal/progress';
import { signInTable, startBlock, withoutDemo } from './block';
import { ensureBuild } from './build';
import { Child } from './child';
import { makeDemo } from './demo';
import { keepFilesPrivate, runtimeEnvironment } from './environment';
import { Journal } from './journal';
import { type Lock, startLock, takeLock } from './lock';
import { checkPort } from './port';
import { Interrupted, Shutdown } from './shutdown';
import { watchDatabase } from './watch-database';

/** Everything from nothing to a running instance, until somebody stops it. */
export async function runInstance({ dev }: { dev: boolean }): Promise<void> {
  const shutdown = new Shutdown();
  try {
    await start(readConfig(), dev, shutdown);
    await shutdown.asked;
  } catch (error) {
    if (!(error instanceof Interrupted)) throw error;
  } finally {
    if (shutdown.signal.aborted) console.log('\nStopping …');
    await shutdown.run();
  }
  console.log('Stopped. The data stay where they are; `npm start` goes on with them.');
}

async function start(given: Config, dev: boolean, shutdown: Shutdown): Promise<void> {
  ensureHome(given.home);
  const lock = lockHome(given);
  shutdown.add({ stop: lock.release, kill: lock.release });
  const config = await choosePort(given);
  const secrets = ensureSecrets(config.home);
  const progress = terminalProgress();
  if (!dev) await shutdown.unlessAsked(ensureBuild(progress, shutdown.signal));

  keepFilesPrivate();
  const journal = new Journal(config.home, dev);
  const database = await openDatabase(config);
  if (database.embedded) {
    shutdown.add(watchDatabase(config.home, database.embedded, secrets.databasePassword, journal));
  }
  await shutdown.unlessAsked(ensurePrepared(database.url));

  Object.assign(process.env, runtimeEnvironment(config, secrets, database.url));
  const env: NodeJS.ProcessEnv = { ...process.env, NODE_ENV: dev ? 'development' : 'production' };
  const worker = new Child('worker', ['worker'], env, journal);
  const web = new Child('web', dev ? ['web', '--dev'] : ['web'], env, journal);
  shutdown.add(worker);
  shutdown.add(web);
  const demo = config.TESSERA_DEMO === 'on' ? makeDemo(env, progress, shutdown.signal) : undefined;
  const [signIns] = await shutdown.unlessAsked(Promise.all([demo, web.start(), worker.start()]));

  console.log(
    startBlock({
      url: config.url,
      home: config.home,
      database: database.where,
      logFile: journal.file,
      entrance: signIns ? signInTable(signIns) : withoutDemo,
      isDevelopment: dev,
    }),
  );
}

function lockHome(config: Config): Lock {
  const lock = takeLock(startLock(config.home), config.url);
  if ('release' in lock) return lock;
  throw new TesseraError(
    'conflict',
    [
      `Tessera is already running on ${config.home}: process ${lock.pid}, ${lock.note}.`,
      `Stop it first (Ctrl-C where it runs, or kill ${lock.pid}), or run a second one beside it:`,
      `  TESSERA_HOME=another-folder PORT=${config.PORT + 1} npm start`,
    ].join('\n'),
  );
}

/** PORT=0 means any free port. */
async function choosePort(config: Config): Promise<Config> {
  const port = await checkPort(config.HOST, config.PORT);
  return port === config.PORT ? config : { ...config, ...readConfig({ ...process.env, PORT: String(port) }) };
}
