import { spawnSync } from 'node:child_process';
import { chmodSync, closeSync, fsyncSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { disturbWork } from './crowd-at-work';
import { conclude, NotPossible, onInstance, say } from './instance';

const PIECE = Buffer.alloc(1024 * 1024);

/**
 * Fills the disk of a working instance to the last block, database included, and empties it again. The disk is a
 * small tmpfs, which only root may mount. Uploads and answers may be refused with 503; nothing acknowledged is lost,
 * and work goes on once there is space.
 */
export async function run(args: string[]): Promise<boolean> {
  const { values } = parseArgs({
    args,
    options: {
      megabytes: { type: 'string', default: '700' },
      times: { type: 'string', default: '3' },
      seconds: { type: 'string', default: '20' },
      crowd: { type: 'string', default: '12' },
      speed: { type: 'string', default: '6' },
      seed: { type: 'string', default: '1' },
      keep: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
    },
  });
  const home = mkdtempSync(path.join(os.tmpdir(), 'tessera-chaos-'));
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${values.megabytes}m`, 'tmpfs', home], {
    encoding: 'utf8',
  });
  if (mounted.status !== 0) {
    rmSync(home, { recursive: true });
    throw new NotPossible(`a tmpfs cannot be mounted (${mounted.stderr?.trim()}). Run it as root.`);
  }
  chmodSync(home, 0o711);
  const filler = path.join(home, 'filler');
  const pauseMs = 1000 * Number(values.seconds);
  const work = {
    crowd: Number(values.crowd),
    speed: Number(values.speed),
    seed: Number(values.seed),
    seconds: 3600,
    pictures: 600,
  };
  try {
    return await onInstance(
      values,
      { web: 1, workers: 1 },
      async (instance) => {
        const { facts, outcomes } = await disturbWork(instance, work, async (floor) => {
          const worked: string[] = [];
          for (let n = 1; n <= Number(values.times); n++) {
            await sleep(pauseMs);
            const before = floor.done.length;
            fill(filler);
            say(`full (${n})`);
            await sleep(pauseMs);
            const during = floor.done.length - before;
            rmSync(filler);
            say(`space again; ${during} answers were taken meanwhile`);
            worked.push(`${during} answers while it was full`);
          }
          return { times: Number(values.times), worked };
        });
        return conclude(facts, outcomes, values.json);
      },
      { home },
    );
  } finally {
    if (values.keep) say(`kept: ${home}, a tmpfs`);
    else {
      spawnSync('umount', [home]);
      rmSync(home, { recursive: true, force: true });
      rmSync(`${home}.log`, { force: true });
    }
  }
}

function fill(file: string): void {
  const handle = openSync(file, 'w');
  try {
    for (;;) writeSync(handle, PIECE);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
