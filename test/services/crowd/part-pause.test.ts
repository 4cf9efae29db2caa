import { and, asc, eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { newId, tables } from '@/db';
import { pausedTargets } from '@/lib/core/quality/history';
import { answerAppeal, appeal, decideByHand } from '@/lib/services/crowd/trust';
import { applyDecision } from '@/lib/services/crowd/trust/apply-decision';
import { readHistory } from '@/lib/services/crowd/trust/read-history';
import { getBatch, takeBatch } from '@/lib/services/crowd/work';
import { effectivePolicy } from '@/lib/services/crowd/work/effective-policy';
import { useDatabase } from '../../support/database';
import { tests } from '../access/people';
import {
  addGold,
  addImage,
  checkLeases,
  doBatch,
  elsewhere,
  paidTo,
  square,
  take,
  type Workshop,
  worker,
  workshop,
} from './workshop';

const db = useDatabase();

const PARTS = ['ears', 'tail'];

/** Images with a question for each part. */
async function askParts(shop: Workshop, count: number): Promise<void> {
  for (let n = 0; n < count; n++) {
    const imageId = await addImage(db(), shop.projectId);
    await db()
      .insert(tables.items)
      .values(
        PARTS.map((target) => ({
          projectId: shop.projectId,
          stageId: shop.stages['part-mask'],
          imageId,
          schemaVersionId: shop.schemaVersionId,
          target,
        })),
      );
  }
}

/** Gold images with every part. */
async function addGoldParts(shop: Workshop, count: number, pool: 'check' | 'practice'): Promise<void> {
  const goldIds = await addGold(db(), shop, 'part-mask', count, square, { pool });
  for (const goldId of goldIds) {
    const [found] = await db()
      .select({ gold: tables.gold, item: tables.items })
      .from(tables.gold)
      .innerJoin(tables.items, eq(tables.items.id, tables.gold.itemId))
      .where(eq(tables.gold.id, goldId));
    if (!found) throw new Error('The gold was written.');
    const { id: _item, shuffle: _shuffle, ...item } = found.item;
    const { id: _gold, ...gold } = found.gold;
    await db().update(tables.items).set({ target: PARTS[0] }).where(eq(tables.items.id, gold.itemId));
    const [beside] = await db()
      .insert(tables.items)
      .values({ ...item, target: PARTS[1] })
      .returning({ id: tables.items.id });
    await db()
      .insert(tables.gold)
      .values({ ...gold, itemId: beside?.id as string });
  }
}

const decisionsAbout = (workerId: string) =>
  db()
    .select()
    .from(tables.decisions)
    .where(and(eq(tables.decisions.subject, 'worker'), eq(tables.decisions.subjectId, workerId)))
    .orderBy(asc(tables.decisions.id));

describe('a worker who misunderstands one part', () => {
  it('practises it, is paused for it alone, and keeps working on the others', async () => {
    const shop = await workshop(db(), { checkRate: 0.5, checkSchedule: 'flat' }, [
      { id: 'failed-checks', params: {} },
      { id: 'target-checks', params: {} },
    ]);
    const stageId = shop.stages['part-mask'];
    await addGoldParts(shop, 40, 'check');
    await addGoldParts(shop, 6, 'practice');
    await askParts(shop, 50);
    const wanda = await worker(db(), shop);
    const isPaused = async () =>
      (await decisionsAbout(wanda.userId)).some(({ verdict }) => verdict === 'pause');
    const draw = ({ target }: { target: { id: string } | null }) =>
      target?.id === 'tail' ? elsewhere : square;
    let practised: string[] = [];
    for (let n = 0; n < 40 && !(await isPaused()); n++) {
      const standing = (await decisionsAbout(wanda.userId)).at(-1)?.verdict;
      const kind = standing === 'refresher' ? 'practice' : 'work';
      const batch = await doBatch(db(), wanda, stageId, draw, kind);
      if (kind === 'practice') practised = batch.items.map(({ target }) => target?.id ?? '');
    }
    const decided = await decisionsAbout(wanda.userId);
    expect(decided.map(({ verdict, target }) => [verdict, target])).toEqual([
      ['refresher', 'tail'],
      ['refreshed', 'tail'],
      ['pause', 'tail'],
    ]);
    expect(practised).toEqual(['tail', 'tail', 'tail']);
    const refresher = (await paidTo(db(), wanda)).filter(({ amountMicro }) => amountMicro === 300_000n);
    expect(refresher).toHaveLength(1);

    // What she gets from now on has no tail, whether it is gold or not, and shows none beside the work.
    let hidden = 0;
    for (let n = 0; n < 3; n++) {
      const batch = await take(db(), wanda, stageId);
      const shown = await getBatch(db(), wanda, { batchId: batch.id });
      expect(shown.items.map(({ target }) => target?.id)).toEqual(['ears', 'ears', 'ears', 'ears']);
      expect(shown.items.flatMap(({ neighbours }) => neighbours)).toEqual([]);
      hidden += (await checkLeases(db(), batch.id)).size;
      await doBatch(db(), wanda, stageId, () => square);
    }
    expect(hidden).toBeGreaterThan(0);

    // Others still get the tails.
    const will = await worker(db(), shop, 'Will');
    const other = await take(db(), will, stageId);
    expect(other.items.map(({ target }) => target?.id)).toContain('tail');

    // A granted appeal gives the part back.
    const appealId = newId();
    await appeal(db(), wanda, { decisionId: decided.at(-1)?.id as string, appealId, text: 'I see it now.' });
    await answerAppeal(db(), tests, { appealId, outcome: 'granted', reply: 'Welcome back.' });
    const again = await take(db(), wanda, stageId);
    expect(again.items.map(({ target }) => target?.id)).toContain('tail');
  });

  it('appealed against practice on a part, and all evidence of the stage was gone', async () => {
    const shop = await workshop(db());
    const stageId = shop.stages['part-mask'];
    const wanda = await worker(db(), shop);
    await askParts(shop, 2);
    const decisionId = await db().transaction((tx) =>
      applyDecision(tx, {
        projectId: shop.projectId,
        stageId,
        workerId: wanda.userId,
        verdict: 'refresher',
        target: 'tail',
        reason: 'Practise tails.',
        rule: { id: 'target-checks', version: 1 },
        evidence: [],
        decidedBy: null,
      }),
    );
    const appealId = newId();
    await appeal(db(), wanda, { decisionId, appealId, text: 'These are tails.' });
    await answerAppeal(db(), tests, { appealId, outcome: 'granted', reply: 'You are right.' });
    const [standing] = await db()
      .select()
      .from(tables.standings)
      .where(eq(tables.standings.workerId, wanda.userId));
    expect(standing).toMatchObject({ state: 'active', since: new Date(0) });
    expect((await decisionsAbout(wanda.userId)).at(-1)).toMatchObject({ verdict: 'resume', target: 'tail' });
  });

  it('can be paused for a part and let back by a curator', async () => {
    const shop = await workshop(db());
    const stageId = shop.stages['part-mask'];
    await askParts(shop, 4);
    const wanda = await worker(db(), shop);
    const about = { workerId: wanda.userId, stageId, target: 'tail', askAgain: false };
    await decideByHand(db(), tests, { ...about, verdict: 'pause', reason: 'Tails are cut off.' });
    await expect(decideByHand(db(), tests, { ...about, verdict: 'pause', reason: 'Again.' })).rejects.toThrow(
      'already paused for "tail"',
    );
    await expect(decideByHand(db(), tests, { ...about, verdict: 'end', reason: 'No.' })).rejects.toThrow(
      'only be paused or resumed',
    );
    const policy = effectivePolicy({}, {});
    const read = () => readHistory(db(), { projectId: shop.projectId, ...about, policy, newest: 10 });
    expect(pausedTargets((await read()).actions)).toEqual(['tail']);
    expect((await read()).state).toBe('active');
    await decideByHand(db(), tests, { ...about, verdict: 'resume', reason: 'We spoke about it.' });
    expect(pausedTargets((await read()).actions)).toEqual([]);
    expect(await takeBatch(db(), wanda, { stageId })).not.toBeNull();
  });
});
