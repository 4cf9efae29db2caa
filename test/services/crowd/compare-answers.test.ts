import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Database, newId, tables } from '@/db';
import { readConfig } from '@/lib/config';
import type { AnswerValue } from '@/lib/core/quality/answer';
import { defaultPolicy } from '@/lib/core/quality/policy';
import type { UserActor } from '@/lib/services/access';
import { compareAnswers, compareDue, inactiveRules } from '@/lib/services/crowd/signals/compare-answers';
import { readHistory } from '@/lib/services/crowd/trust';
import { submitAnswer, submitBatch } from '@/lib/services/crowd/work';
import { assistEngine } from '@/lib/services/inference/assists/assist-engine';
import { findModels } from '@/lib/services/inference/assists/model-files';
import { sha256Of, storage } from '@/lib/services/storage';
import { useDatabase } from '../../support/database';
import { useHome } from '../../support/home';
import { tinySam } from '../../support/tiny-sam';
import { curatorOf, jobIn } from '../curation/audit/rated';
import { givePixels, picture, promoted } from '../training/loop-model';
import { addGold, ask, HEIGHT, square, take, WIDTH, type Workshop, worker, workshop } from './workshop';

useHome();
const db = useDatabase();
const folder = mkdtempSync(path.join(os.tmpdir(), 'tessera-compare-'));

beforeAll(() => {
  writeFileSync(path.join(folder, 'encoder.onnx'), tinySam.encoder);
  writeFileSync(path.join(folder, 'decoder.onnx'), tinySam.decoder);
});
afterEach(() => {
  delete process.env.TESSERA_SAM_ENCODER;
  delete process.env.TESSERA_SAM_DECODER;
});
afterAll(() => {
  assistEngine().close();
  rmSync(folder, { recursive: true, force: true });
});

function installModel(): void {
  process.env.TESSERA_SAM_ENCODER = path.join(folder, 'encoder.onnx');
  process.env.TESSERA_SAM_DECODER = path.join(folder, 'decoder.onnx');
}

/** Away from the white square of the picture, which every model here takes for the object. */
const elsewhere: AnswerValue = {
  kind: 'mask',
  shapes: [{ kind: 'polygon', op: 'add', outer: [36, 20, 60, 20, 60, 44, 36, 44], holes: [] }],
};
const assisted: AnswerValue = {
  ...square,
  assists: [{ kind: 'box', model: 'a@1', clicks: 1, shownMs: 10, latencyMs: 900, edited: false }],
} as AnswerValue;

/** Large enough that what the model sees of it counts. */
const large = { left: 8, top: 8, width: 40, height: 32 };

/** What the installed model says about the picture, as somebody would copy it. */
async function rawOutput(): Promise<AnswerValue> {
  const bytes = await picture(large);
  const asked = { sha256: sha256Of(bytes), size: { width: WIDTH, height: HEIGHT }, read: async () => bytes };
  const prompts = [{ kind: 'point' as const, points: [{ x: 20, y: 20, include: true }] }];
  const model = findModels(readConfig()).segmentAnything;
  if (!model) throw new Error('The model is installed by the test.');
  const user = { id: 'test', isVeiled: false };
  const { masks } = await assistEngine().segment({ user, model, picture: asked, prompts });
  const counts = masks[0]?.counts;
  return {
    kind: 'mask',
    shapes: [{ kind: 'bitmap', op: 'add', size: [HEIGHT, WIDTH], counts: counts ?? '' }],
  };
}

const policy = { batchSize: { attributes: 4, masks: 8 }, checkRate: 0.5, checkSchedule: 'flat' };

async function shopWithGold(value: AnswerValue): Promise<Workshop> {
  const shop = await workshop(db(), policy);
  await ask(db(), shop, 'part-mask', 12);
  await addGold(db(), shop, 'part-mask', 8, value);
  await givePixels(db(), shop, await picture());
  return shop;
}

async function workAs(shop: Workshop, value: AnswerValue): Promise<UserActor> {
  const actor = await worker(db(), shop, `W${newId().slice(-6)}`);
  const batch = await take(db(), actor, shop.stages['part-mask']);
  for (const { leaseId } of batch.items)
    await submitAnswer(db(), actor, { leaseId, answerId: newId(), value, activeMs: 9000 });
  await submitBatch(db(), actor, { batchId: batch.id });
  return actor;
}

const compareNow = (database: Database, { projectId }: Workshop) =>
  compareAnswers({ ...jobIn(database), storage: storage() }, { projectId });

const historyOf = ({ projectId, stages }: Workshop, { userId: workerId }: UserActor) =>
  readHistory(db(), {
    projectId,
    stageId: stages['part-mask'],
    workerId,
    policy: defaultPolicy,
    newest: 100,
  });

describe('comparing answers with an installed segmentation model', () => {
  it('looks at a sample of each batch, and finds what was copied', async () => {
    installModel();
    const shop = await shopWithGold(square);
    await givePixels(db(), shop, await picture(large));
    const [copying, drawing] = [await workAs(shop, await rawOutput()), await workAs(shop, elsewhere)];
    await compareNow(db(), shop);
    const copied = (await historyOf(shop, copying)).answers.flatMap(({ publicIou }) => publicIou ?? []);
    expect(copied).toHaveLength(5);
    for (const iou of copied) expect(iou).toBeGreaterThanOrEqual(0.995);
    const drawn = (await historyOf(shop, drawing)).answers.flatMap(({ publicIou }) => publicIou ?? []);
    expect(drawn).toHaveLength(5);
    for (const iou of drawn) expect(iou).toBeLessThan(0.5);
    expect(await compareNow(db(), shop)).toEqual({ compared: 0 });
  }, 120_000);

  it('leaves out accepted suggestions', async () => {
    installModel();
    const shop = await shopWithGold(square);
    const actor = await workAs(shop, assisted);
    await compareNow(db(), shop);
    expect((await historyOf(shop, actor)).answers.every(({ publicIou }) => publicIou === null)).toBe(true);
  }, 120_000);

  it('does nothing without a model, and the rules page says so', async () => {
    const shop = await shopWithGold(square);
    await workAs(shop, square);
    expect(await compareNow(db(), shop)).toEqual({ compared: 0 });
    expect(Object.keys(await inactiveRules(db(), shop.projectId)).sort()).toEqual([
      'model-mistakes',
      'model-outlines',
    ]);
    installModel();
    expect(Object.keys(await inactiveRules(db(), shop.projectId))).toEqual(['model-mistakes']);
  });
});

describe('comparing answers with the promoted model', () => {
  it('tells who repeats its mistakes on gold', async () => {
    const shop = await shopWithGold(elsewhere);
    await promoted(db(), shop, await curatorOf(db(), shop, 'Carla'));
    const [copying, looking] = [await workAs(shop, square), await workAs(shop, elsewhere)];
    await compareNow(db(), shop);
    const ofCopying = (await historyOf(shop, copying)).checks;
    expect(ofCopying.length).toBeGreaterThan(1);
    for (const { model } of ofCopying) {
      expect(model?.level).toBeLessThan(0.1);
      expect(model?.agreement).toBeGreaterThan(0.8);
    }
    for (const { model } of (await historyOf(shop, looking)).checks)
      expect(model?.agreement).toBeLessThan(0.1);
  });
});

describe('the comparison in the background', () => {
  it('is started once for a project where something is due, and again only after some minutes', async () => {
    installModel();
    const shop = await shopWithGold(square);
    await workAs(shop, square);
    await db().delete(tables.settings).where(eq(tables.settings.key, 'comparison.lastStarted'));
    expect(await compareDue(db())).toBeGreaterThan(0);
    expect(await compareDue(db())).toBe(0);
    const jobs = await db().select().from(tables.jobs).where(eq(tables.jobs.projectId, shop.projectId));
    expect(jobs.filter(({ kind }) => kind === 'compare-answers')).toHaveLength(1);
  });
});
