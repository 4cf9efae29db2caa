import { afterAll, beforeAll, expect, it } from 'vitest';
import { endpoints } from '@/app/api/v1/endpoints';
import { createRng } from '@/lib/core/robustness/random';
import { scopeIds } from '@/lib/services/access';
import { browserOf, withKey } from '../app/api/call';
import { keyOf, person } from '../services/access/people';
import { type ApiServer, serveApi } from '../support/api-server';
import { useDatabase } from '../support/database';
import { useHome } from '../support/home';
import { oneOfEach } from '../support/one-of-each';
import { send } from './attack';
import { type Armoury, attackOn } from './attacks';
import { faultIn } from './fault';
import { hostileFiles } from './files';
import { goodFiles, readHostile, spoiled } from './readers';

/** A slice of `npm run fuzz`, the same in every run. */
const db = useDatabase();
useHome();
let api: ApiServer;
let armoury: Armoury;

beforeAll(async () => {
  api = await serveApi();
  const { ids, member } = await oneOfEach(db());
  const admin = await person(db(), 'Ada', true);
  const callers = [
    withKey(await keyOf(db(), admin, ...scopeIds)),
    withKey(await keyOf(db(), member, ...scopeIds)),
    await browserOf(member.email),
  ];
  armoury = { chance: createRng('a slice'), ids, callers, files: await hostileFiles() };
});
afterAll(() => api.close());

it('no endpoint answers a hostile request with a fault', async () => {
  const faults: string[] = [];
  for (let round = 0; round < 2; round++) {
    for (const entry of endpoints) {
      const attack = attackOn(entry, armoury);
      const fault = faultIn(attack, await send(api.url, attack));
      if (fault) faults.push(fault);
    }
  }
  expect(faults).toEqual([]);
});

it('no reader of a format meets a hostile file with a fault', async () => {
  const chance = createRng('a slice of files');
  const faults: string[] = [];
  for (const { format, files } of await goodFiles()) {
    for (let round = 0; round < 6; round++) {
      const fault = await readHostile(format, spoiled(files, armoury.files, chance));
      if (fault) faults.push(fault);
    }
  }
  expect(faults).toEqual([]);
});
