import { and, asc, eq, inArray, sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { newId, tables } from '@/db';
import { answerAppeal, appeal, decideByHand } from '@/lib/services/crowd/trust';
import { useDatabase } from '../../support/database';
import { tests } from '../access/people';
import { answer, ask, doBatch, itemsOf, square, take, worker, workshop } from './workshop';

const db = useDatabase();

describe('a worker whose work was asked again, and who appeals and wins', () => {
  it('sees the answers count again, but for those that somebody else took up', async () => {
    const shop = await workshop(db(), { batchSize: { masks: 3, attributes: 4 } });
    const stageId = shop.stages['object-mask'];
    await ask(db(), shop, 'object-mask', 3);
    const wanda = await worker(db(), shop);
    const will = await worker(db(), shop, 'Will');
    await doBatch(db(), wanda, stageId, () => square);
    await decideByHand(db(), tests, {
      workerId: wanda.userId,
      stageId,
      verdict: 'end',
      reason: 'The outlines look drawn by a machine.',
      askAgain: true,
    });
    expect((await itemsOf(db(), stageId)).map((item) => item.answered)).toEqual([0, 0, 0]);

    // Will has answered one and is at another; the third waits for somebody.
    await db()
      .update(tables.projects)
      .set({ policy: sql`policy || '{"batchSize":{"masks":2,"attributes":4}}'` })
      .where(eq(tables.projects.id, shop.projectId));
    const [first] = (await take(db(), will, stageId)).items;
    await answer(db(), will, first?.leaseId as string);

    const [end] = await db()
      .select()
      .from(tables.decisions)
      .where(and(eq(tables.decisions.subject, 'worker'), eq(tables.decisions.subjectId, wanda.userId)));
    const appealId = newId();
    await appeal(db(), wanda, { decisionId: end?.id as string, appealId, text: 'I drew them by hand.' });
    await answerAppeal(db(), tests, { appealId, outcome: 'granted', reply: 'You did. Sorry.' });

    const items = await itemsOf(db(), stageId);
    expect(items.map((item) => item.state).sort()).toEqual(['open', 'open', 'settled']);
    const settled = items.find((item) => item.state === 'settled');
    const [label] = await db()
      .select()
      .from(tables.labels)
      .where(and(eq(tables.labels.itemId, settled?.id as string), eq(tables.labels.isCurrent, true)));
    expect(label?.source).toBe('answer');
    const about = await db()
      .select({ verdict: tables.decisions.verdict })
      .from(tables.decisions)
      .where(
        inArray(
          tables.decisions.subjectId,
          db()
            .select({ id: tables.answers.id })
            .from(tables.answers)
            .where(eq(tables.answers.workerId, wanda.userId)),
        ),
      )
      .orderBy(asc(tables.decisions.id));
    expect(about.map((row) => row.verdict)).toEqual(['set-aside', 'set-aside', 'set-aside', 'reinstated']);
  });
});
