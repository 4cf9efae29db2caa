import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { readConfig } from '@/lib/config';
import { TesseraError } from '@/lib/core/errors';
import { debianPackages } from './packages';
import { capabilitiesHere, forgetCapabilities } from './python';

export interface InstallStep {
  /** What a person would type. */
  text: string;
  command: string;
  args: string[];
  env?: Record<string, string>;
}

/** Who hears how far it is. */
export interface Listener {
  /** The command that begins. */
  step(text: string): void | Promise<void>;
  /** A line of it; with per cent of the command where it tells them. */
  say(text: string, percent?: number): void | Promise<void>;
}

const isRoot = (): boolean => process.getuid?.() === 0;
const hasApt = (): boolean => existsSync('/usr/bin/apt-get');
const hasNvidia = (): boolean => existsSync('/proc/driver/nvidia/version');

/** Debian's own packages where they can be had: no Python index, 250 MB. Else a virtual environment in the home. */
export function installSteps(): InstallStep[] {
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
    const hear = (line: string) => {
      const status = APT_STATUS.exec(line);
      if (!status) tail.push(line);
      if (tail.length > 20) tail.shift();
      const told = status ? say(status[2] ?? '', Number(status[1])) : say(line);
      // Whoever does not want to hear any more ends the command by the signal.
      Promise.resolve(told).catch(() => {});
    };
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (piece: string) => {
        for (const line of piece.split('\n').filter(Boolean)) hear(line);
      });
    child.once('error', (error) => reject(new TesseraError('unavailable', `${text}: ${error.message}`)));
    child.once('close', (code) =>
      code === 0
        ? resolve()
        : reject(new TesseraError('unavailable', `${text} failed.\n${tail.slice(-5).join('\n')}`)),
    );
  });
}
