import { spawn } from 'node:child_process';
import { createServer } from 'node:net';
import path from 'node:path';
import { type Config, projectFolder, readConfig } from '@/lib/config';
import { ensureHome } from '@/lib/config/home';
import { ensureSecrets } from '@/lib/config/secrets';
import { TesseraError } from '@/lib/core/errors';
import { ensurePrepared, keepFilesPrivate, runtimeEnvironment } from '../database/enter';
import { openDatabase } from '../database/open';
import { type Progress, type Step, terminalProgress } from '../terminal';
import { type SignIn, signInTable, startBlock, withoutDemo } from './block';
import { ensureBuild } from './build';
import { Child, Journal } from './child';
import { type Lock, startLock, takeLock } from './lock';
import { Interrupted, Shutdown, watchDatabase } from './shutdown';

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

/** Tries the port for a moment, so that a port in use is told before anything slow begins. */
function checkPort(host: string, port: number): Promise<number> {
  return new Promise((done, failed) => {
    const probe = createServer();
    probe.once('error', (error: NodeJS.ErrnoException) => failed(explainPort(error, host, port)));
    probe.listen({ host, port, exclusive: true }, () => {
      const address = probe.address() as { port: number };
      probe.close(() => done(address.port));
    });
  });
}

function explainPort(error: NodeJS.ErrnoException, host: string, port: number): Error {
  const another = `PORT=${port + 1 > 65_535 ? 3000 : port + 1} npm start`;
  switch (error.code) {
    case 'EADDRINUSE':
      return new TesseraError(
        'unavailable',
        `Port ${port} is in use by another program. Stop that program, or choose another port: ${another}`,
      );
    case 'EACCES':
      return new TesseraError(
        'unavailable',
        `Port ${port} is not allowed for this user (those below 1024 need root). Choose another: PORT=3000 npm start`,
      );
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new TesseraError(
        'unavailable',
        `HOST=${host} is not an address of this machine. Use 127.0.0.1 (this machine only) or 0.0.0.0 (every network).`,
      );
    default:
      return error;
  }
}

/**
 * Makes the demo workspace where it is missing; silent when there is nothing to do. In a process of its own,
 * because the generator of pictures takes memory that the starter would keep for as long as it runs.
 */
async function makeDemo(env: NodeJS.ProcessEnv, progress: Progress, signal: AbortSignal): Promise<SignIn[]> {
  const child = spawn(process.execPath, [path.join(projectFolder, 'bin', 'tessera.mjs'), 'demo', '--json'], {
    cwd: projectFolder,
    env,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  signal.addEventListener('abort', () => child.kill('SIGKILL'));
  let step: Step | undefined;
  child.on('message', (text) => {
    step ??= progress.begin('Creating the demo workspace (once)');
    step.update(String(text));
  });
  let answer = '';
  let complaint = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    answer += text;
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    complaint += text;
  });
  const code = await new Promise<number | null>((done) => child.once('close', done));
  if (code === 0) {
    step?.done('Created the demo workspace');
    return JSON.parse(answer);
  }
  if (!signal.aborted) step?.failed();
  throw new TesseraError('unavailable', `The demo workspace could not be made:\n${complaint.trim()}`);
}
