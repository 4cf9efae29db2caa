import { and, asc, eq, sql } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { newId, tables } from '@/db';
import type { UserActor } from '@/lib/services/access';
import { answerAppeal, appeal, askAgain, decideByHand, type WorkerVerdict } from '@/lib/services/crowd/trust';
import { decideLabel } from '@/lib/services/curation/audit/decide-label';
import { useDatabase } from '../../support/database';
import { somebodyWaits } from '../../support/meanwhile';
import { tests } from '../access/people';
import { ask, doBatch, itemsOf, square, worker, workshop } from './workshop';

const db = useDatabase();
const { decisions, items, labels, standings } = tables;

/** Wanda has drawn an object; two people are wanted for it, unless it is said otherwise. */
async function wandaDrew(overlap = 2) {
  const shop = await workshop(db(), { overlap });
  const stageId = shop.stages['object-mask'];
  const wanda = await worker(db(), shop);
  await ask(db(), shop, 'object-mask', 1, { overlap });
  await doBatch(db(), wanda, stageId, () => square);
  return { shop, stageId, wanda };
}

const decide = (wanda: UserActor, stageId: string, verdict: WorkerVerdict) =>
  decideByHand(db(), tests, {
    workerId: wanda.userId,
    stageId,
    verdict,
    reason: 'The outlines look drawn by a machine.',
    askAgain: false,
  });

async function objectTo(wanda: UserActor, decisionId: string): Promise<string> {
  const appealId = newId();
  await appeal(db(), wanda, { decisionId, appealId, text: 'I drew them by hand.' });
  return appealId;
}

const grant = (appealId: string) =>
  answerAppeal(db(), tests, { appealId, outcome: 'granted', reply: 'You did. Sorry.' });

const holdItems = sql`select id from ${items} order by id for no key update`;

it('a worker whose work is ended while an older appeal of theirs is granted stays out', async () => {
  const { stageId, wanda } = await wandaDrew();
  const { decisionId } = await decide(wanda, stageId, 'pause');
  const appealId = await objectTo(wanda, decisionId);
  await askAgain(db(), tests, { stageId, workerId: wanda.userId });
  let granting: Promise<void> | undefined;
  let ending: ReturnType<typeof decide> | undefined;
  await db().transaction(async (tx) => {
    // Somebody is at the question, so that the grant, which lets its answer count again, takes a while.
    await tx.execute(holdItems);
    granting = grant(appealId);
    await somebodyWaits(db());
    ending = decide(wanda, stageId, 'end');
    await Promise.race([ending, somebodyWaits(db(), 2)]);
  });
  await granting;
  await ending;
  const [standing] = await db()
    .select()
    .from(standings)
    .where(and(eq(standings.stageId, stageId), eq(standings.workerId, wanda.userId)));
  expect(standing?.state).toBe('ended');
});

it('an answer counts again once when two appeals of its author are granted at the same moment', async () => {
  const { stageId, wanda } = await wandaDrew();
  const hints = [await decide(wanda, stageId, 'hint'), await decide(wanda, stageId, 'hint')];
  await askAgain(db(), tests, { stageId, workerId: wanda.userId });
  const both: string[] = [];
  for (const { decisionId } of hints) both.push(await objectTo(wanda, decisionId));
  let granting: Promise<unknown> | undefined;
  await db().transaction(async (tx) => {
    await tx.execute(holdItems);
    granting = Promise.all(both.map(grant));
    await somebodyWaits(db(), 2);
  });
  await granting;
  // It wants another answer: one person has given one.
  expect(await itemsOf(db(), stageId)).toMatchObject([{ state: 'open', answered: 1, leased: 0 }]);
  const verdicts = await db()
    .select({ verdict: decisions.verdict })
    .from(decisions)
    .where(and(eq(decisions.stageId, stageId), eq(decisions.subject, 'answer')))
    .orderBy(asc(decisions.id));
  expect(verdicts.map(({ verdict }) => verdict)).toEqual(['set-aside', 'reinstated']);
});

it('an answer that a curator has rejected since it counted again stays rejected when another appeal is granted', async () => {
  const { shop, stageId, wanda } = await wandaDrew(1);
  const hints = [await decide(wanda, stageId, 'hint'), await decide(wanda, stageId, 'hint')];
  await askAgain(db(), tests, { stageId, workerId: wanda.userId });
  const [first, second] = [
    await objectTo(wanda, hints[0]?.decisionId as string),
    await objectTo(wanda, hints[1]?.decisionId as string),
  ];
  await grant(first);
  const [label] = await db()
    .select()
    .from(labels)
    .where(and(eq(labels.projectId, shop.projectId), eq(labels.isCurrent, true)));
  await decideLabel(db(), tests, {
    projectId: shop.projectId,
    labelId: label?.id as string,
    decisionId: newId(),
    verdict: 'rejected',
    reason: 'The ear is missing.',
  });
  await grant(second);
  expect(await itemsOf(db(), stageId)).toMatchObject([{ state: 'open', answered: 0 }]);
});
