import { beforeAll, describe, expect, it } from 'vitest';
import {
  buildConsensus,
  getAgreement,
  listConsensusRuns,
  takeBackConsensus,
} from '@/app/api/v1/gold-and-consensus';
import { JOB } from '@/lib/services/curation/consensus/start-run';
import { call, withKey } from '../../../app/api/call';
import { useDatabase } from '../../../support/database';
import { join, keyOf, person } from '../../access/people';
import { marked, type Workshop, worker, workshop } from '../../crowd/workshop';
import { declare } from '../../jobs/worker';
import { several } from './several';

const db = useDatabase();
let shop: Workshop;
let curator: Record<string, string>;
let researcher: Record<string, string>;

beforeAll(async () => {
  await declare(db(), [JOB]);
  shop = await workshop(db());
  const [carla, ruben] = [await person(db(), 'Carla'), await person(db(), 'Ruben')];
  await join(db(), carla, shop.projectId, 'curator');
  await join(db(), ruben, shop.projectId, 'researcher');
  curator = withKey(await keyOf(db(), carla, 'read', 'labels:write'));
  researcher = withKey(await keyOf(db(), ruben, 'read', 'labels:write'));
  const [ann, bo] = [await worker(db(), shop, 'Ann'), await worker(db(), shop, 'Bo')];
  await several(db(), shop, 'attributes', [
    { by: ann, value: marked(shop, 'wings') },
    { by: bo, value: marked(shop, 'tail') },
  ]);
});

describe('the API about consensus', () => {
  it('gives the agreement of a stage, with reasons where there is no figure', async () => {
    const params = { project: shop.slug, stage: shop.stages.attributes };
    const found = await call(getAgreement, { params, headers: researcher });
    expect(found.json).toMatchObject({ population: 1, sampled: 1, drawings: [] });
    const wings = found.json.forms.find((row: { target: string }) => row.target === 'wings');
    expect(wings.raw).toMatchObject({ value: 0, n: 1 });
    const other = { ...params, stage: shop.projectId };
    expect((await call(getAgreement, { params: other, headers: researcher })).status).toBe(404);
  });

  it('lets a curator start a run and nobody else, and refuses a second one beside it', async () => {
    const params = { project: shop.slug };
    const body = { stage: shop.stages.attributes, method: 'majority' };
    expect((await call(buildConsensus, { params, headers: researcher, body })).status).toBe(404);
    const wrong = await call(buildConsensus, {
      params,
      headers: curator,
      body: { ...body, method: 'staple' },
    });
    expect(wrong.status).toBe(400);
    const started = await call(buildConsensus, { params, headers: curator, body });
    expect(started.status).toBe(202);
    expect((await call(buildConsensus, { params, headers: curator, body })).status).toBe(409);
    const runs = await call(listConsensusRuns, { params, headers: researcher });
    expect(runs.json.items).toMatchObject([
      { id: started.json.id, state: 'building', by: 'Carla', tally: { made: 0 } },
    ]);
    const back = { project: shop.slug, run: started.json.id };
    expect((await call(takeBackConsensus, { params: back, headers: curator, body: {} })).status).toBe(409);
  });
});
