import { readFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { readConfig } from '@/lib/config';
import { beginDraining } from '@/lib/services/observability/current-work';
import { startTracing, stopTracing } from '@/lib/services/observability/tracing';
import { defineCommand, UsageError } from '../command';
import { enterDatabase } from '../database/enter';
import { reportReady, stopSignal } from '../lifeline';
import { serveStatus } from '../serve/worker-status';

export const command = defineCommand({
  options: {
    gpu: {
      type: 'boolean',
      description:
        'Train for an instance elsewhere: needs no database and no shared disk, only its address and a key.',
    },
    only: {
      type: 'strings',
      value: 'kind',
      description: 'Take only jobs of this kind, such as train; can be repeated.',
    },
    except: {
      type: 'strings',
      value: 'kind',
      description: 'Skip jobs of this kind; can be repeated.',
    },
    server: { type: 'string', value: 'address', description: 'With --gpu: the instance, as https://host.' },
    'key-file': {
      type: 'string',
      value: 'file',
      description:
        'With --gpu: file with an API key of the scope trainers; or the key itself in TESSERA_KEY.',
    },
    name: {
      type: 'string',
      value: 'name',
      description: 'With --gpu: what this machine is called there (default its host name).',
    },
    folder: {
      type: 'string',
      value: 'folder',
      description: 'With --gpu: where snapshots and runs are kept (default trainer/<name> in TESSERA_HOME).',
    },
  },
  async run(values) {
    const signal = stopSignal();
    if (values.gpu) {
      const { runAgent } = await import('@/lib/services/training/agent/agent');
      const name = values.name ?? os.hostname();
      await runAgent({
        server: readServer(values.server),
        key: await readKey(values['key-file']),
        name,
        folder: path.resolve(values.folder ?? path.join(readConfig().home, 'trainer', path.basename(name))),
        signal,
        say: (text) => console.log(text),
      });
      return 0;
    }
    if (values.server) throw new UsageError('--server goes with --gpu.');
    startTracing('worker');
    await using _ = await enterDatabase();
    const { runWorker } = await import('@/workers/run');
    const { jobHandlers } = await import('@/workers/jobs');
    const handlers = chosenKinds(jobHandlers, values);
    await using _status = await serveStatus();
    signal.addEventListener('abort', beginDraining);
    reportReady();
    await runWorker({ signal, handlers });
    await stopTracing();
    return 0;
  },
});

/** Which kinds of jobs this worker is for: the machine with the GPU trains, the one beside the disk exports. */
export function chosenKinds<Handler extends { kind: string }>(
  all: readonly Handler[],
  { only, except = [] }: { only?: string[]; except?: string[] },
): Handler[] {
  const unknown = [...(only ?? []), ...except].find((kind) => !all.some((handler) => handler.kind === kind));
  if (unknown !== undefined)
    throw new UsageError(`There is no kind of job "${unknown}": ${all.map(({ kind }) => kind).join(', ')}.`);
  const chosen = all.filter(({ kind }) => (only?.includes(kind) ?? true) && !except.includes(kind));
  if (chosen.length === 0) throw new UsageError('That leaves no kind of job to take.');
  return chosen;
}

function readServer(server: string | undefined): string {
  if (!server || !URL.canParse(server) || !/^https?:/.test(server))
    throw new UsageError('--gpu needs the address of the instance: --server https://host.');
  const { protocol, hostname } = new URL(server);
  if (protocol === 'http:' && !['localhost', '127.0.0.1', '[::1]'].includes(hostname))
    console.error('Careful: without https the key and the pictures can be read on the way.');
  return server.replace(/\/+$/, '');
}

/** Not as an option: everyone on the machine can read what a command was called with. */
async function readKey(file: string | undefined): Promise<string> {
  const key = file ? (await readFile(file, 'utf8')).trim() : readConfig().TESSERA_KEY;
  if (!key)
    throw new UsageError('--gpu needs an API key with the scope trainers: in TESSERA_KEY, or --key-file.');
  return key;
}
