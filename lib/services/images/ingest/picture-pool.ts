import { type ChildProcess, fork } from 'node:child_process';
import os from 'node:os';
import path from 'node:path';
import { projectFolder } from '@/lib/config';
import { limits } from '@/lib/core/image-limits';
import { type Picture, PictureRefused } from './read-picture';

export interface PictureRequest {
  id: number;
  bytes: Uint8Array;
}

export type PictureReply = { id: number; picture: Picture } | { id: number; refused: string };

export interface PicturePool {
  size: number;
  read(bytes: Buffer): Promise<Picture>;
  /** Ends the processes; the next read starts new ones. */
  close(): void;
}

/** One picture at a time per process, so that a process that dies takes exactly one picture with it. */
export function createPicturePool(size: number = os.availableParallelism()): PicturePool {
  const idle: ChildProcess[] = [];
  const all = new Set<ChildProcess>();
  const waiting: ((child: ChildProcess) => void)[] = [];

  const take = (): Promise<ChildProcess> => {
    const child = idle.pop();
    if (child) return Promise.resolve(child);
    if (all.size < size) return Promise.resolve(start());
    return new Promise((resolve) => waiting.push(resolve));
  };

  const start = (): ChildProcess => {
    const child = startChild();
    all.add(child);
    child.once('exit', () => {
      all.delete(child);
      const at = idle.indexOf(child);
      if (at >= 0) idle.splice(at, 1);
    });
    return child;
  };

  const give = (child: ChildProcess) => {
    const next = waiting.shift();
    const alive = child.connected && !child.killed;
    if (next) next(alive ? child : start());
    else if (alive) rest(child, idle);
  };

  return {
    size,
    async read(bytes) {
      const child = await take();
      hold(child);
      try {
        return await ask(child, bytes);
      } finally {
        give(child);
      }
    },
    close() {
      for (const child of all) child.kill('SIGKILL');
    },
  };
}

/** An idle process does not keep its parent alive, and ends with it. */
function rest(child: ChildProcess, idle: ChildProcess[]): void {
  child.unref();
  child.channel?.unref();
  idle.push(child);
}

function hold(child: ChildProcess): void {
  child.ref();
  child.channel?.ref();
}

let lastId = 0;

function ask(child: ChildProcess, bytes: Buffer): Promise<Picture> {
  const id = ++lastId;
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      end();
      child.kill('SIGKILL');
      reject(new PictureRefused(`Reading the picture took more than ${limits.decoderMs / 1000} seconds.`));
    }, limits.decoderMs);
    const onMessage = (reply: PictureReply) => {
      if (reply.id !== id) return;
      end();
      if ('picture' in reply) resolve(reply.picture);
      else reject(new PictureRefused(reply.refused));
    };
    const onExit = () => {
      end();
      reject(new PictureRefused('Reading the picture crashed the decoder or needed too much memory.'));
    };
    const end = () => {
      clearTimeout(timer);
      child.off('message', onMessage);
      child.off('exit', onExit);
    };
    child.on('message', onMessage);
    child.on('exit', onExit);
    child.send({ id, bytes } satisfies PictureRequest, (error) => error && onExit());
  });
}

function startChild(): ChildProcess {
  return fork(
    path.join(/* turbopackIgnore: true */ projectFolder, 'lib/services/images/ingest/picture-child.ts'),
    {
      cwd: projectFolder,
      // The pixels live outside of the JavaScript heap, which therefore needs little.
      execArgv: ['--import', 'tsx', '--max-old-space-size=512'],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      // Nothing that opens a door is within reach of a file that takes the decoder over.
      env: { PATH: process.env.PATH, NODE_ENV: process.env.NODE_ENV ?? 'production' },
    },
  );
}

let shared: PicturePool | undefined;

export function picturePool(): PicturePool {
  shared ??= createPicturePool();
  return shared;
}
