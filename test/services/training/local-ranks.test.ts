import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, it, vi } from 'vitest';
import { localLauncher } from '@/lib/services/training/launch/local';
import { forgetCapabilities } from '@/lib/services/training/launch/python';
import { useHome } from '../../support/home';

const home = useHome();

afterEach(() => {
  vi.useRealTimers();
  delete process.env.TESSERA_PYTHON;
  forgetCapabilities();
});

/** Stands for a Python whose second rank falls and whose first waits for it for ever. */
const waitsForEver = `#!/bin/bash
if [ "$1" = -c ]; then echo '{"torch": "2.0", "gpus": []}'; exit; fi
[ "$RANK" = 1 ] && exit 1
exec sleep 600
`;

it('ends a rank that goes on waiting for one that is gone, so that the run can be begun anew', async () => {
  const python = path.join(home(), 'python');
  writeFileSync(python, waitsForEver);
  chmodSync(python, 0o755);
  process.env.TESSERA_PYTHON = python;
  forgetCapabilities();
  const folder = path.join(home(), 'job');
  mkdirSync(folder);
  const resources = {
    device: 'auto',
    gpus: 2,
    nodes: 1,
    threads: 1,
    memoryGb: null,
    wallMinutes: null,
  } as const;
  const handle = await localLauncher.submit(folder, resources);
  expect((await localLauncher.status(handle)).state).toBe('running');
  vi.useFakeTimers({ toFake: ['performance'] });
  for (;;) {
    if ((await localLauncher.status(handle)).state === 'gone') return;
    vi.advanceTimersByTime(61_000);
    await sleep(50);
  }
});
