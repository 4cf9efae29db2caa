import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { projectFolder, readConfig } from '@/lib/config';
import { debianPackages } from '@/lib/services/training/launch/python';
import { findChromium } from '../tools/chromium';
import { aptGet } from '../tools/debian';
import { findPython, run } from '../tools/python';

interface Tool {
  name: string;
  /** The tests that need it; where they are not, it is not fetched. */
  neededBy: string;
  isThere(): Promise<boolean>;
  packages: string;
  /** Where there is no apt, or nobody who may use it. */
  otherwise: string[] | undefined;
  byHand: string;
}

const tools: readonly Tool[] = [
  {
    name: 'Chromium',
    neededBy: 'test/e2e',
    isThere: async () => (await findChromium()) !== undefined,
    packages: 'chromium',
    otherwise: [process.execPath, 'node_modules/@playwright/test/cli.js', 'install', 'chromium'],
    byHand: 'Install Chromium, or name one that is there: TESSERA_CHROMIUM=/path/to/chromium npm test',
  },
  {
    name: 'PyTorch',
    neededBy: 'test/services/training',
    isThere: async () => {
      const python = findPython(readConfig().TESSERA_PYTHON);
      return python !== undefined && run(python, 'import torch, numpy') !== undefined;
    },
    packages: debianPackages.join(' '),
    otherwise: undefined,
    byHand:
      'Install PyTorch and NumPy, or name a Python that has them: TESSERA_PYTHON=/path/to/python3 npm test',
  },
];

/** Installs what the tests need and the machine lacks: through apt as root, else as the tool itself can. */
export async function ensureTools(): Promise<void> {
  for (const tool of tools) {
    if (!existsSync(path.join(projectFolder, tool.neededBy)) || (await tool.isThere())) continue;
    console.log(`${tool.name} is missing; installing it …`);
    install(tool);
    if (!(await tool.isThere())) console.error(`${tool.name} could not be installed. ${tool.byHand}`);
  }
}

function install(tool: Tool): void {
  const options = { cwd: projectFolder, stdio: 'inherit' } as const;
  const apt = aptGet(tool.packages);
  if (apt && process.getuid?.() === 0) {
    spawnSync('/bin/sh', ['-c', `apt-get update && ${apt}`], {
      ...options,
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    });
    return;
  }
  const [program, ...args] = tool.otherwise ?? [];
  if (program) spawnSync(program, args, options);
}
