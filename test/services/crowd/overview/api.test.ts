import { describe, expect, it } from 'vitest';
import { getWorker, listWorkers } from '@/app/api/v1/crowd';
import { call, withKey } from '../../../app/api/call';
import { useDatabase } from '../../../support/database';
import { join, keyOf, person } from '../../access/people';
import { worker, workshop } from '../workshop';
import { form, past, pausedAndAppealing } from './past';

const db = useDatabase();

async function people() {
  const shop = await workshop(db());
  const [curator, researcher] = [await person(db(), 'Carla'), await person(db(), 'Ruben')];
  await join(db(), curator, shop.projectId, 'curator');
  await join(db(), researcher, shop.projectId, 'researcher');
  const ann = await worker(db(), shop, 'Ann');
  await past(db(), shop, ann, {
    answers: [{}, { check: { passed: true, score: { ...form(3, 1, 0), 'right:tail': 1 } } }],
  });
  const headers = async (actor: typeof curator) => withKey(await keyOf(db(), actor, 'read'));
  return {
    shop,
    ann,
    curator: await headers(curator),
    researcher: await headers(researcher),
    worker: await headers(ann),
  };
}

describe('the API about the crowd', () => {
  it('lists workers with estimates for a curator', async () => {
    const { shop, curator } = await people();
    await worker(db(), shop, 'Bo');
    const params = { project: shop.slug };
    const first = await call(listWorkers, { params, query: '?limit=1', headers: curator });
    expect(first.status).toBe(200);
    expect(first.json.items).toMatchObject([
      { name: 'Ann', items: 2, checks: 1, precision: { value: 0.75, n: 4 }, earnedMicro: '0' },
    ]);
    const second = await call(listWorkers, {
      params,
      query: `?limit=1&cursor=${first.json.next}`,
      headers: curator,
    });
    expect(second.json).toMatchObject({ items: [{ name: 'Bo', state: 'new' }], next: null });
    const wrong = await call(listWorkers, { params, query: '?sort=luck', headers: curator });
    expect(wrong.status).toBe(400);
  });

  it('tells of one worker by stage, attribute, decision and appeal', async () => {
    const { shop, ann, curator } = await people();
    await pausedAndAppealing(db(), shop, ann, 'Please look again.');
    const { status, json } = await call(getWorker, {
      params: { project: shop.slug, worker: ann.userId },
      headers: curator,
    });
    expect(status).toBe(200);
    const stage = json.stages.find((each: { stageId: string }) => each.stageId === shop.stages.attributes);
    expect(stage).toMatchObject({
      items: 2,
      standing: 'paused',
      trust: { n: 1 },
      byTarget: { tail: { n: 1 } },
    });
    expect(json.decisions).toMatchObject([
      { verdict: 'pause', appeal: { text: 'Please look again.', outcome: null } },
    ]);
  });

  it('shows no person to researchers and workers', async () => {
    const { shop, ann, researcher, worker: own } = await people();
    const one = { project: shop.slug, worker: ann.userId };
    for (const headers of [researcher, own]) {
      expect((await call(listWorkers, { params: { project: shop.slug }, headers })).status).toBe(404);
      expect((await call(getWorker, { params: one, headers })).status).toBe(404);
    }
  });

  it('does not know the workers of another project', async () => {
    const { shop, curator } = await people();
    const stranger = await worker(db(), await workshop(db()), 'Stranger');
    const reply = await call(getWorker, {
      params: { project: shop.slug, worker: stranger.userId },
      headers: curator,
    });
    expect(reply.status).toBe(404);
  });
});
