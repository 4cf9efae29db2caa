import { eq } from 'drizzle-orm';
import { beforeAll, expect, it } from 'vitest';
import { newId, tables } from '@/db';
import type { UserActor } from '@/lib/services/access';
import { decideLabel } from '@/lib/services/curation/audit/decide-label';
import { buildConsensus } from '@/lib/services/curation/consensus/build-consensus';
import { JOB, startRun, startTakingBack } from '@/lib/services/curation/consensus/start-run';
import { takeBack } from '@/lib/services/curation/consensus/take-back';
import { cancelJob } from '@/lib/services/jobs';
import { useDatabase } from '../../../support/database';
import { tests } from '../../access/people';
import { ask, doBatch, itemsOf, marked, square, type Workshop, worker, workshop } from '../../crowd/workshop';
import { declare } from '../../jobs/worker';
import { curatorOf, currentLabels } from '../audit/rated';
import { several } from './several';

const db = useDatabase();
beforeAll(() => declare(db(), [JOB, 'rate-labels']));

const quiet = () => ({ db: db(), signal: new AbortController().signal, progress: async () => {} });

/** A form that Ann filled in with "wings", which are drawn; the two who were asked beside her said "tail". */
async function outvoted(): Promise<Workshop> {
  const shop = await workshop(db());
  const [ann, bo, cy] = await Promise.all(['Ann', 'Bo', 'Cy'].map((name) => worker(db(), shop, name)));
  const said = (by: UserActor | undefined, claim: string) => ({
    by: by as UserActor,
    value: marked(shop, claim),
  });
  const { itemId } = await several(db(), shop, 'attributes', [
    said(ann, 'wings'),
    said(bo, 'tail'),
    said(cy, 'tail'),
  ]);
  const [form] = await db().select().from(tables.items).where(eq(tables.items.id, itemId));
  const wings = { imageId: form?.imageId as string, target: 'wings' };
  await ask(db(), shop, 'part-mask', 1, wings);
  await doBatch(db(), ann as UserActor, shop.stages['part-mask'], () => square);
  return shop;
}

async function built(shop: Workshop) {
  const { projectId } = shop;
  const run = await startRun(db(), tests, { projectId, stageId: shop.stages.attributes, method: 'majority' });
  await cancelJob(db(), run.jobId);
  await buildConsensus(quiet(), { runId: run.id });
  return { projectId, runId: run.id };
}

const asked = async (shop: Workshop) => {
  const parts = await itemsOf(db(), shop.stages['part-mask']);
  return Object.fromEntries(parts.map(({ target, state }) => [target, state]));
};

it('a consensus of forms asks what follows from it and withdraws what does not, until it is taken back', async () => {
  const shop = await outvoted();
  const before = (await currentLabels(db(), shop)).map(({ id }) => id);
  const run = await built(shop);
  expect(await asked(shop)).toEqual({ wings: 'withdrawn', tail: 'open' });
  expect((await currentLabels(db(), shop)).map(({ target }) => target)).not.toContain('wings');
  const { jobId } = await startTakingBack(db(), tests, run);
  await cancelJob(db(), jobId);
  await takeBack(quiet(), run);
  expect(await asked(shop)).toEqual({ wings: 'settled', tail: 'withdrawn' });
  expect((await currentLabels(db(), shop)).map(({ id }) => id)).toEqual(before);
});

it('what a curator accepted outlasts a consensus of the crowd that does not claim it', async () => {
  const shop = await outvoted();
  const carla = await curatorOf(db(), shop, 'Carla');
  const wings = (await currentLabels(db(), shop)).find(({ target }) => target === 'wings');
  const about = { projectId: shop.projectId, labelId: wings?.id ?? '', decisionId: newId() };
  await decideLabel(db(), carla, { ...about, verdict: 'accepted' });
  await built(shop);
  expect(await asked(shop)).toEqual({ wings: 'settled', tail: 'open' });
  const [label] = await db().select().from(tables.labels).where(eq(tables.labels.id, about.labelId));
  expect(label?.isCurrent).toBe(true);
});
