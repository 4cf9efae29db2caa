import { spawn } from 'node:child_process';
import path from 'node:path';
import { projectFolder } from '@/lib/config';

/** The system's Python: another one on the path may not see the system's torch. */
const python = process.env.TESSERA_PYTHON || '/usr/bin/python3';
export const trainerFolder = path.join(projectFolder, 'workers/trainer');

export interface Ended {
  code: number | null;
  out: string;
  err: string;
}

/** Runs a module of the trainer; what it needs and is not there is said by its own message. */
export function runPython(args: string[], input = ''): Promise<Ended> {
  return new Promise((resolve, reject) => {
    // Other tests run beside this one: a second thread would mostly wait for a processor.
    const child = spawn(python, args, { cwd: trainerFolder, env: { ...process.env, OMP_NUM_THREADS: '1' } });
    let out = '';
    let err = '';
    child.stdout.on('data', (text) => {
      out += text;
    });
    child.stderr.on('data', (text) => {
      err += text;
    });
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, out, err }));
    child.stdin.end(input);
  });
}
