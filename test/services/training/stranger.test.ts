import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { lockFolder } from '@/lib/services/training/agent/agent';
import { trainerEnvironment } from '@/lib/services/training/launch/launcher';
import { localLauncher, processStartTime } from '@/lib/services/training/launch/local';
import { useHome } from '../../support/home';

const home = useHome();
let stranger: ChildProcess;
afterEach(() => void stranger?.kill('SIGKILL'));

const begin = () => {
  stranger = spawn('sleep', ['600'], { stdio: 'ignore' });
  return stranger.pid as number;
};

function jobOf(handle: object): string {
  const folder = path.join(home(), 'job');
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'process.json'), JSON.stringify(handle));
  return folder;
}

describe('a process that got the number of a trainer of another day', () => {
  it.each([
    [
      'another start time',
      (pid: number) => ({ host: os.hostname(), pids: [pid], startedAt: ['an-earlier-boot/1'] }),
    ],
    ['no birth known', (pid: number) => ({ host: os.hostname(), pids: [pid] })],
  ])('is neither adopted nor killed: %s', async (_, handle) => {
    const pid = begin();
    const folder = jobOf(handle(pid));
    expect(await localLauncher.adopt(folder)).toBeNull();
    await localLauncher.stop({ name: folder });
    expect(stranger.killed || stranger.exitCode !== null || stranger.signalCode !== null).toBe(false);
    expect(processStartTime(pid)).not.toBeNull();
  });

  it('the trainer itself is adopted, and ended when it is to end', async () => {
    const pid = begin();
    const folder = jobOf({ host: os.hostname(), pids: [pid], startedAt: [processStartTime(pid)] });
    expect(await localLauncher.adopt(folder)).toEqual({ name: folder });
    const gone = once(stranger, 'exit');
    await localLauncher.stop({ name: folder });
    await gone;
    expect(await localLauncher.adopt(folder)).toBeNull();
  });
});

it('a trainer is not handed the secrets of the worker', () => {
  process.env.TESSERA_SECRET_OF_TEST = 'x';
  process.env.OMP_NUM_THREADS ??= '2';
  const given = Object.keys(trainerEnvironment());
  delete process.env.TESSERA_SECRET_OF_TEST;
  expect(given).toEqual(expect.arrayContaining(['PATH', 'OMP_NUM_THREADS']));
  expect(given.filter((name) => /TESSERA|DATABASE|SECRET|KEY/.test(name))).toEqual([]);
});

it('two agents do not work in one folder, and one that was killed is in nobody’s way', async () => {
  const folder = path.join(home(), 'agent');
  const unlock = await lockFolder(folder);
  await expect(lockFolder(folder)).rejects.toThrow('Another agent');
  await unlock();
  const holder = { host: os.hostname(), pid: process.pid, startedAt: 'an-earlier-boot/1' };
  writeFileSync(path.join(folder, 'agent.json'), JSON.stringify(holder));
  await (await lockFolder(folder))();
});
