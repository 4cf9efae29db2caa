import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemActor } from '@/lib/core/actor';
import { checkCroissant, emptyStatements } from '@/lib/core/croissant';
import { exportVersion } from '@/lib/services/datasets/exports/export-version';
import { freezeVersion } from '@/lib/services/datasets/freeze/freeze-version';
import { FreezeRequest } from '@/lib/services/datasets/freeze/request';
import { getVersion } from '@/lib/services/datasets/versions/list-versions';
import { stateAboutVersion } from '@/lib/services/datasets/versions/mark-version';
import { storage } from '@/lib/services/storage';
import { useDatabase } from '../../support/database';
import { useHome } from '../../support/home';
import { labelledProject, patiently } from '../../support/labelled-project';

const db = useDatabase();
useHome();
const rita = systemActor('Rita');
let projectId = '';
let folder = '';

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'tessera-croissant-'));
  ({ projectId } = await labelledProject(db(), {
    preset: 'part-imagenet',
    slug: 'croissant',
    count: 12,
    classes: ['Bird', 'Fish'],
  }));
  await freezeVersion(patiently(db()), rita, {
    projectId,
    request: FreezeRequest.parse({ licence: 'CC-BY-4.0' }),
  });
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const statements = {
  ...emptyStatements,
  creators: 'Rita',
  url: 'https://example.org/data',
  origin: 'Generated scenes',
  useCases: 'Tests',
  limitations: 'No photos',
  biases: 'Two classes',
  personalInformation: 'None',
  socialImpact: 'None',
};

async function exported(name: string) {
  const out = path.join(folder, name);
  const context = {
    db: db(),
    storage: storage(),
    signal: new AbortController().signal,
    progress: async () => {},
  };
  await exportVersion(context, { projectId, version: '1', format: 'coco', options: {} }, out);
  const document = JSON.parse(await readFile(path.join(out, 'croissant.json'), 'utf8'));
  return { out, document };
}

describe('every export is described by a Croissant file', () => {
  it('which lacks only what nobody has stated', async () => {
    const { document } = await exported('plain');
    const problems = checkCroissant(document);
    expect(problems.filter(({ kind }) => kind === 'error')).toEqual([]);
    expect(problems.map(({ where }) => where)).toContain('creator');
  });

  it('which is complete once the statements are saved, and the next version starts with them', async () => {
    await stateAboutVersion(db(), rita, { projectId, version: '1', statements });
    const { document } = await exported('stated');
    expect(checkCroissant(document)).toEqual([]);
    expect(document['rai:hasSyntheticData']).toBe(true);
    const request = FreezeRequest.parse({ filter: { classes: ['Bird'] } });
    await freezeVersion(patiently(db()), rita, { projectId, request });
    expect((await getVersion(db(), { projectId, version: 'latest' })).statements).toEqual(statements);
  });

  it('whose table of images has its hash and one row for each image', async () => {
    const { out, document } = await exported('table');
    const bytes = await readFile(path.join(out, 'croissant-images.csv'));
    expect(document.distribution[0].sha256).toBe(createHash('sha256').update(bytes).digest('hex'));
    expect(document.distribution[0].contentSize).toBe(`${bytes.length} B`);
    const rows: Record<string, string>[] = parse(bytes, { columns: true });
    expect(rows).toHaveLength(12);
    expect(new Set(rows.map((row) => row.class))).toEqual(new Set(['Bird', 'Fish']));
    expect(rows.every((row) => Number(row.parts) > 0)).toBe(true);
  });
});
