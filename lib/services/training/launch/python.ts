import { execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { projectFolder, readConfig } from '@/lib/config';
import { TesseraError } from '@/lib/core/errors';
import type { Capabilities } from './launcher';

const runFile = promisify(execFile);

const PROBE = `
import json, numpy, torch
gpus = [torch.cuda.get_device_properties(i) for i in range(torch.cuda.device_count())]
print(json.dumps({"torch": torch.__version__,
  "gpus": [{"name": gpu.name, "memoryGb": round(gpu.total_memory / 2**30, 1)} for gpu in gpus]}))
`;

/** Where a Python with PyTorch may be, the first that has it wins: named, of this home, of the system. */
function pythonCandidates(): string[] {
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
    const found = await runFile(python, ['-c', PROBE], { timeout: 60_000 }).catch(() => null);
    if (!found) continue;
    const { torch, gpus } = JSON.parse(found.stdout) as Pick<Capabilities, 'torch' | 'gpus'>;
    return { ...machine, python, torch, gpus, missing: null };
  }
  const missing = `No Python here has PyTorch and NumPy. Install them with: ${installCommand}`;
  return { ...machine, python: null, torch: null, gpus: [], missing };
}

export const trainerFolder = path.join(projectFolder, 'workers', 'trainer');

interface InstallStep {
  /** What a person would type. */
  text: string;
  command: string;
  args: string[];
  env?: Record<string, string>;
}

/** Receives each line of progress. */
interface Listener {
  /** The command that begins. */
  step(text: string): void | Promise<void>;
  /** A line of it; with per cent of the command where it tells them. */
  say(text: string, percent?: number): void | Promise<void>;
}

const isRoot = (): boolean => process.getuid?.() === 0;
const hasApt = (): boolean => existsSync('/usr/bin/apt-get');
const hasNvidia = (): boolean => existsSync('/proc/driver/nvidia/version');

/** Debian's own packages where they can be had: no Python index, 250 MB. Else a virtual environment in the home. */
function installSteps(): InstallStep[] {
  const apt = (...args: string[]): InstallStep => ({
    text: `apt-get ${args.join(' ')}`,
    command: 'apt-get',
    // How far it is, in lines of its own.
    args: ['-o', 'APT::Status-Fd=1', ...args],
    env: { DEBIAN_FRONTEND: 'noninteractive' },
  });
  if (isRoot() && hasApt() && !hasNvidia())
    return [apt('update'), apt('install', '-y', '--no-install-recommends', ...debianPackages)];
  const venv = path.join(readConfig().home, 'python');
  const pip = path.join(venv, 'bin', 'pip');
  return [
    { text: `python3 -m venv ${venv}`, command: 'python3', args: ['-m', 'venv', venv] },
    { text: `${pip} install torch numpy onnx`, command: pip, args: ['install', 'torch', 'numpy', 'onnx'] },
  ];
}

/** Makes this machine a trainer, unless it is one. */
export async function installTrainer(listener: Listener, signal?: AbortSignal): Promise<void> {
  if (!(await capabilitiesHere()).missing) return;
  for (const step of installSteps()) {
    await listener.step(step.text);
    await run(step, listener, signal);
  }
  forgetCapabilities();
  const { missing } = await capabilitiesHere();
  if (missing) throw new TesseraError('unavailable', 'PyTorch was installed, but no Python can import it.');
}

/** `pmstatus:python3-torch:42.5:Unpacking python3-torch`, `dlstatus:7:12.3:Retrieving file 7 of 60`. */
const APT_STATUS = /^(?:pm|dl)status:[^:]*:([\d.]+):(.*)$/;

function run({ text, command, args, env }: InstallStep, { say }: Listener, signal?: AbortSignal) {
  return new Promise<void>((resolve, reject) => {
    const child = spawn(command, args, {
      env: { ...process.env, ...env },
      signal,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const tail: string[] = [];
    const readLine = (line: string) => {
      const status = APT_STATUS.exec(line);
      if (!status) tail.push(line);
      if (tail.length > 20) tail.shift();
      const reported = status ? say(status[2] ?? '', Number(status[1])) : say(line);
      // A failing callback does not stop the command; the signal does.
      Promise.resolve(reported).catch(() => {});
    };
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (piece: string) => {
        for (const line of piece.split('\n').filter(Boolean)) readLine(line);
      });
    child.once('error', (error) => reject(new TesseraError('unavailable', `${text}: ${error.message}`)));
    child.once('close', (code) =>
      code === 0
        ? resolve()
        : reject(new TesseraError('unavailable', `${text} failed.\n${tail.slice(-5).join('\n')}`)),
    );
  });
}

/** What a Debian machine needs to train. Without OpenBLAS its PyTorch multiplies with the slow reference library. */
export const debianPackages = ['python3-torch', 'python3-numpy', 'libopenblas0-pthread'] as const;
