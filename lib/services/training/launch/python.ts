import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { projectFolder, readConfig } from '@/lib/config';
import type { Capabilities } from './launcher';

const run = promisify(execFile);

const PROBE = `
import json, numpy, torch
gpus = [torch.cuda.get_device_properties(i) for i in range(torch.cuda.device_count())]
print(json.dumps({"torch": torch.__version__,
  "gpus": [{"name": gpu.name, "memoryGb": round(gpu.total_memory / 2**30, 1)} for gpu in gpus]}))
`;

/** Where a Python with PyTorch may be, the first that has it wins: named, of this home, of the system. */
export function pythonCandidates(): string[] {
  const { TESSERA_PYTHON, home } = readConfig();
  if (TESSERA_PYTHON) return [TESSERA_PYTHON];
  return [path.join(home, 'python', 'bin', 'python'), '/usr/bin/python3'].filter(existsSync);
}

/** The command that makes this machine a trainer. */
export const installCommand = 'npx tessera trainer install';

/** Starting PyTorch takes seconds: what is there is asked for once an hour, what is missing may come at any time. */
const FRESH_MS = 60 * 60_000;
const MISSING_MS = 30_000;
let known: { until: number; answer: Promise<Capabilities> } | null = null;

export function capabilitiesHere(): Promise<Capabilities> {
  if (known && performance.now() < known.until) return known.answer;
  const asked = { until: performance.now() + FRESH_MS, answer: probe() };
  known = asked;
  asked.answer.then(({ missing }) => {
    if (missing) asked.until = performance.now() + MISSING_MS;
  });
  return asked.answer;
}

/** After an installation. */
export const forgetCapabilities = (): void => {
  known = null;
};

async function probe(): Promise<Capabilities> {
  const machine = { processors: os.availableParallelism(), memoryGb: Math.round(os.totalmem() / 2 ** 30) };
  for (const python of pythonCandidates()) {
    const found = await run(python, ['-c', PROBE], { timeout: 60_000 }).catch(() => null);
    if (!found) continue;
    const { torch, gpus } = JSON.parse(found.stdout) as Pick<Capabilities, 'torch' | 'gpus'>;
    return { ...machine, python, torch, gpus, missing: null };
  }
  const missing = `No Python here has PyTorch and NumPy. Install them with: ${installCommand}`;
  return { ...machine, python: null, torch: null, gpus: [], missing };
}

export const trainerFolder = path.join(projectFolder, 'workers', 'trainer');
