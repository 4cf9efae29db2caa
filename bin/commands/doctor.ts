import { statfs } from 'node:fs/promises';
import os from 'node:os';
import type { Database } from '@/db';
import { type Config, readConfig } from '@/lib/config';
import { ensureHome } from '@/lib/config/home';
import { checkFiles } from '@/lib/services/invariants/check-files';
import { checkRules, type Outcome } from '@/lib/services/invariants/check-rules';
import { storage } from '@/lib/services/storage';
import { debianPackages } from '@/lib/services/training/launch/python';
import { defineCommand, json } from '../command';
import { enterDatabase } from '../database/enter';
import { openDatabase } from '../database/open';
import { columns, dim, green, print, red, yellow } from '../terminal';
import { aptGet, findChromium, findPython, run } from '../tools';

export const command = defineCommand({
  options: {
    invariants: {
      type: 'boolean',
      description:
        'Check the data instead: what has to hold of answers, leases, pay, jobs and files. Reads everything.',
    },
    json,
  },
  async run(values) {
    if (values.invariants) return checkData(values.json);
    const config = readConfig();
    const findings: (Finding & Pick<Check, 'name' | 'required' | 'for'>)[] = [];
    for (const check of checks) {
      const { name, required, for: purpose } = check;
      findings.push({ name, required, for: purpose, ...(await check.look(config)) });
    }
    print(values.json, findings, () =>
      findings
        .flatMap((found) => [
          `${mark(found)} ${found.name.padEnd(10)} ${found.message}${found.state === 'ok' ? '' : dim(`  (for ${found.for})`)}`,
          ...(found.fix ? [`    ${found.fix.replaceAll('\n', '\n    ')}`] : []),
        ])
        .join('\n'),
    );
    return findings.some(({ required, state }) => required && state === 'missing') ? 1 : 0;
  },
});

async function checkData(asJson: boolean | undefined): Promise<number> {
  await using entered = await enterDatabase();
  const outcomes = await checkInvariants(entered.db);
  print(asJson, outcomes, () => invariantsText(outcomes));
  return outcomes.every(({ violations }) => violations === 0) ? 0 : 1;
}

function mark({ state, required }: { state: string; required: boolean }): string {
  if (state === 'ok') return green('✓');
  return required ? red('✗') : yellow('–');
}

interface Finding {
  state: 'ok' | 'missing';
  message: string;
  /** What to do about it. */
  fix?: string;
}

/** One thing that the machine must or may have. */
interface Check {
  name: string;
  /** Without it Tessera does not run; the others open single features. */
  required: boolean;
  for: string;
  look(config: Config): Promise<Finding> | Finding;
}

const ok = (message: string): Finding => ({ state: 'ok', message });
const missing = (message: string, fix: string): Finding => ({ state: 'missing', message, fix });

/** A demo, a build and a first dataset fit; less is likely to end in a full disk. */
const MIN_FREE_GB = 5;

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
    const message = `${free.toFixed(1)} GB free at ${folder}`;
    return free >= MIN_FREE_GB
      ? ok(message)
      : missing(message, `Make at least ${MIN_FREE_GB} GB free, or set TESSERA_HOME to another disk.`);
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

const checks: readonly Check[] = [node, home, disk, database, browser, torch, gpu];

/** Reads the whole database and every file: what has to hold of them at any moment. */
const checkInvariants = async (db: Database): Promise<Outcome[]> => [
  ...(await checkRules(db)),
  ...(await checkFiles(db, storage())),
];

const invariantsText = (outcomes: readonly Outcome[]): string =>
  columns(
    outcomes.map(({ name, statement, violations, examples }) => [
      violations === 0 ? green('✓') : red('✗'),
      name,
      violations === 0 ? statement : `${violations} offend: ${examples.join(', ')} (${statement})`,
    ]),
  );
