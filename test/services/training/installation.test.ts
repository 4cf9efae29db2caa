import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { eq } from 'drizzle-orm';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { tables } from '@/db';
import { capabilitiesHere, forgetCapabilities } from '@/lib/services/training/launch/python';
import {
  INSTALL_JOB,
  isInstalling,
  offerInstallation,
  readInstallation,
} from '@/lib/services/training/trainers/installation';
import { listTrainers } from '@/lib/services/training/trainers/list-trainers';
import { prepareQueues } from '@/workers/jobs';
import { installPyTorch } from '@/workers/jobs/training';
import { useDatabase } from '../../support/database';
import { useHome } from '../../support/home';
import { jobContext } from './story';

const db = useDatabase();
const home = useHome();
const path0 = process.env.PATH;

const nothing = { python: null, torch: null, gpus: [], processors: 2, memoryGb: 8, missing: 'No PyTorch.' };

beforeAll(() => prepareQueues(process.env.DATABASE_URL as string));

afterEach(() => {
  process.env.PATH = path0;
  delete process.env.TESSERA_PYTHON;
  delete process.env.TESSERA_TRAINER_INSTALL;
  forgetCapabilities();
});

const script = (file: string, ...lines: string[]) => {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, ['#!/bin/bash', ...lines, ''].join('\n'));
  chmodSync(file, 0o755);
};

/** Commands that install nothing but a Python that says what one with PyTorch says. */
function pretendToInstall(works: boolean): string {
  const bin = path.join(home(), works ? 'works' : 'fails');
  const python = path.join(bin, 'python-with-torch');
  const make = `printf '#!/bin/bash\\necho %s\\n' "'{\\"torch\\":\\"1.13.1\\",\\"gpus\\":[]}'" > ${python}; chmod +x ${python}`;
  const end = works ? make : 'echo "E: Unable to fetch some archives" >&2; exit 100';
  script(
    path.join(bin, 'apt-get'),
    'for last; do :; done; [ "$last" = update ] && exit 0',
    'echo "dlstatus:1:12.5:Retrieving file 1 of 60"',
    'echo "pmstatus:python3-torch:60:Unpacking python3-torch"',
    end,
  );
  // Where it is not Debian as root: a virtual environment whose pip does the same.
  const pip = path.join(home(), 'python', 'bin', 'pip');
  script(`${pip}.from`, 'echo "Collecting torch"', end);
  script(path.join(bin, 'python3'), `mkdir -p ${path.dirname(pip)}; cp ${pip}.from ${pip}`);
  process.env.PATH = `${bin}${path.delimiter}${path0}`;
  process.env.TESSERA_PYTHON = python;
  forgetCapabilities();
  return python;
}

const installJobs = () => db().select().from(tables.jobs).where(eq(tables.jobs.kind, INSTALL_JOB));

describe('the first start on a machine that cannot train', () => {
  it('fetches PyTorch once, and not where somebody does not want it', async () => {
    process.env.TESSERA_TRAINER_INSTALL = 'off';
    expect(await offerInstallation(db(), nothing)).toBe(false);
    delete process.env.TESSERA_TRAINER_INSTALL;
    process.env.TESSERA_PYTHON = '/opt/own/python';
    expect(await offerInstallation(db(), nothing)).toBe(false);
    delete process.env.TESSERA_PYTHON;
    expect(await offerInstallation(db(), { ...nothing, missing: null })).toBe(false);
    expect(await installJobs()).toHaveLength(0);

    const offers = await Promise.all([1, 2, 3].map(() => offerInstallation(db(), nothing)));
    expect(offers.filter(Boolean)).toHaveLength(1);
    expect(await installJobs()).toHaveLength(1);
    const found = await readInstallation(db());
    expect(isInstalling(found)).toBe(true);
  });

  it('tells how far it is, and then this machine trains', async () => {
    const python = pretendToInstall(true);
    expect((await capabilitiesHere()).missing).toContain('npx tessera trainer install');
    const told: string[] = [];
    const outcome = await installPyTorch.run(
      {
        ...jobContext(db(), (await installJobs())[0]?.id ?? ''),
        progress: async (_done: number, _total: number | null, text = '') => void told.push(text),
      },
      {},
    );
    expect(outcome).toEqual({ python, torch: '1.13.1' });
    expect(told.join('\n')).toMatch(/Unpacking python3-torch|Collecting torch/);
    const [here] = await listTrainers(db());
    expect(here).toMatchObject({ kind: 'local', state: 'idle', capabilities: { missing: null } });
  });

  it('says which command failed and what it said', async () => {
    pretendToInstall(false);
    await expect(installPyTorch.run(jobContext(db(), 'x'), {})).rejects.toThrow(
      /(apt-get|pip) install.+Unable to fetch some archives/s,
    );
  });
});
