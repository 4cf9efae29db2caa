import { statfs } from 'node:fs/promises';
import os from 'node:os';
import type { Config } from '@/lib/config';
import { ensureHome } from '@/lib/config/home';
import { debianPackages } from '@/lib/services/training/launch/python';
import { openDatabase } from '../database/open';
import { findChromium } from '../tools/chromium';
import { aptGet } from '../tools/debian';
import { findPython, run } from '../tools/python';
import { type Check, missing, ok } from './check';

/** A demo, a build and a first dataset fit; less is likely to end in a full disk. */
const leastFreeGb = 5;

const node: Check = {
  name: 'Node.js',
  required: true,
  for: 'everything',
  // An older one does not get this far: bin/tessera.mjs refuses it.
  look: () => ok(`${process.version} on ${os.type()} ${os.arch()}, ${os.availableParallelism()} cores`),
};

const home: Check = {
  name: 'Home',
  required: true,
  for: 'pictures, secrets, logs',
  look({ home: folder }) {
    try {
      ensureHome(folder);
      return ok(`${folder} can be written`);
    } catch (error) {
      return missing((error as Error).message, 'Set TESSERA_HOME to a folder that you may write.');
    }
  },
};

const disk: Check = {
  name: 'Disk',
  required: true,
  for: 'pictures and exports',
  async look({ home: folder }) {
    const { bavail, bsize } = await statfs(folder);
    const free = (bavail * bsize) / 1e9;
    const says = `${free.toFixed(1)} GB free at ${folder}`;
    return free >= leastFreeGb
      ? ok(says)
      : missing(says, `Make at least ${leastFreeGb} GB free, or set TESSERA_HOME to another disk.`);
  },
};

const database: Check = {
  name: 'Database',
  required: true,
  for: 'everything',
  async look(config: Config) {
    try {
      const open = await openDatabase(config);
      await open.close();
      return ok(`PostgreSQL answers: ${open.where}`);
    } catch (error) {
      return missing('PostgreSQL does not answer', (error as Error).message);
    }
  },
};

const browser: Check = {
  name: 'Chromium',
  required: false,
  for: 'the browser tests',
  async look() {
    const found = await findChromium();
    return found ? ok(found) : missing('not found', aptGet('chromium') ?? 'npx playwright install chromium');
  },
};

const torch: Check = {
  name: 'PyTorch',
  required: false,
  for: 'training',
  look(config) {
    const python = findPython(config.TESSERA_PYTHON);
    if (!python)
      return missing('no Python 3', aptGet('python3') ?? 'Install Python 3 (https://www.python.org).');
    const version = run(python, 'import numpy, torch; print(torch.__version__)');
    return version
      ? ok(`${version} (${python})`)
      : missing(
          `${python} has no torch and numpy`,
          aptGet(debianPackages.join(' ')) ?? `${python} -m pip install torch numpy`,
        );
  },
};

const gpu: Check = {
  name: 'GPU',
  required: false,
  for: 'training in hours instead of days',
  look(config) {
    const python = findPython(config.TESSERA_PYTHON);
    const name = python && run(python, 'import torch; print(torch.cuda.get_device_name(0))');
    return name
      ? ok(name)
      : missing('none that PyTorch can use', 'Train on the processor, or install a CUDA build of PyTorch.');
  },
};

export const checks: readonly Check[] = [node, home, disk, database, browser, torch, gpu];
