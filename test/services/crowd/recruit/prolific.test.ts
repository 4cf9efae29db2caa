import { eq } from 'drizzle-orm';
import { beforeEach, describe, expect, it } from 'vitest';
import { createRecruitment, listRecruitments } from '@/app/api/v1/recruit';
import { tables } from '@/db';
import type { UserActor } from '@/lib/services/access';
import { updateUser } from '@/lib/services/accounts';
import { agree, newestText } from '@/lib/services/crowd/consent';
import {
  arrive,
  leave,
  reclaimVisits,
  recruiterOf,
  scheduleReclaiming,
  studiesWithVisits,
} from '@/lib/services/crowd/recruit';
import { saveDraft, submitBatch, takeBatch } from '@/lib/services/crowd/work';
import { browserOf, call } from '../../../app/api/call';
import { useDatabase } from '../../../support/database';
import { join, person, tests } from '../../access/people';
import { addGold, answer, ask, doBatch, itemsOf, marked, take, type Workshop, workshop } from '../workshop';
import { prolificId, useProlific } from './fake-prolific';

const db = useDatabase();
const fake = useProlific();
const prolific = recruiterOf('prolific');
const codes = { finished: 'DONE1234', screenedOut: 'SCREEN12', returned: 'RETURN12' };

const policy = {
  batchSize: { attributes: 2, masks: 2 },
  attributeExam: { isRequired: false, images: 3, practice: 0, attempts: 1 },
  payReview: { minFormSeconds: 0, minMaskSeconds: 0, constantAnswers: null },
};

let shop: Workshop;
let study: string;
let recruitmentId: string;
let curator: UserActor;

beforeEach(async () => {
  shop = await workshop(db(), policy);
  curator = await person(db(), 'Cora');
  await join(db(), curator, shop.projectId, 'curator');
  fake.state.isDown = false;
  await ask(db(), shop, 'attributes', 2);
  study = prolificId();
  const made = await call(createRecruitment, {
    headers: await browserOf(curator.email),
    params: { project: shop.slug },
    body: { recruiter: 'prolific', externalId: study, cohort: 'Pilot', settings: { codes } },
  });
  expect(made.status).toBe(201);
  recruitmentId = made.json.id;
});

/** A participant whom Prolific sends, and who is known there. */
function participant(status = 'ACTIVE', worker = prolificId(), session = prolificId()) {
  const submission = { id: session, study_id: study, participant: worker, status };
  fake.submissions.set(session, submission);
  return { query: { PROLIFIC_PID: worker, STUDY_ID: study, SESSION_ID: session }, submission };
}

const come = (query: Record<string, string>, signedInAs: string | null = null) =>
  arrive(db(), prolific, { query, signedInAs, requestId: null });

const kindOf = (promise: Promise<unknown>) =>
  promise.then(
    (value) => (value as { kind?: string }).kind ?? 'done',
    (error) => error.kind,
  );

async function actorOf(query: Record<string, string>): Promise<UserActor> {
  const arrived = await come(query);
  if (arrived.kind !== 'arrived') throw new Error(arrived.kind);
  const [user] = await db().select().from(tables.users).where(eq(tables.users.id, arrived.userId));
  const { id: userId, name, email } = user as typeof tables.users.$inferSelect;
  return {
    kind: 'user',
    userId,
    name,
    email,
    isAdmin: false,
    via: 'session',
    credentialId: userId,
    scopes: null,
    requestId: null,
  };
}

const consent = async (actor: UserActor) => {
  const { id: textId } = await newestText(db(), shop.projectId);
  await agree(db(), actor, { projectId: shop.projectId, textId, isAdult: true });
};

/** From now on the stage asks for an exam: three pictures with a tail and nothing else. */
async function requireExam() {
  await addGold(db(), shop, 'attributes', 3, marked(shop, 'tail'), { pool: 'exam' });
  const attributeExam = { ...policy.attributeExam, isRequired: true };
  await db()
    .update(tables.projects)
    .set({ policy: { ...policy, checkRate: 0, attributeExam } })
    .where(eq(tables.projects.id, shop.projectId));
}

const visits = () =>
  db().select().from(tables.arrivals).where(eq(tables.arrivals.recruitmentId, recruitmentId));

describe('a participant of Prolific', () => {
  it('arrives, agrees, passes the exam, works, and takes the code for a finished visit home', async () => {
    const { query } = participant();
    const wanda = await actorOf(query);
    const stage = shop.stages.attributes;
    const gate = (kind: 'work' | 'exam') =>
      takeBatch(db(), wanda, { stageId: stage, kind }).then(
        () => null,
        (error) => error.detail.gate,
      );
    expect(await gate('work')).toBe('consent');
    await consent(wanda);
    await requireExam();
    expect(await gate('work')).toBe('exam');
    await doBatch(db(), wanda, stage, () => marked(shop, 'tail'), 'exam');
    await doBatch(db(), wanda, stage, () => marked(shop, 'tail'));
    const left = await leave(db(), wanda, { projectId: shop.projectId });
    expect(left).toEqual({
      outcome: 'finished',
      completionUrl: 'https://app.prolific.com/submissions/complete?cc=DONE1234',
    });
    // Whoever opens the link again gets the same way home, and nobody is signed in.
    expect(await come(query)).toMatchObject({
      kind: 'over',
      state: 'finished',
      completionUrl: left.completionUrl,
    });
  });

  it('who fails the exam is screened out, with the code that pays', async () => {
    const wanda = await actorOf(participant().query);
    await consent(wanda);
    await requireExam();
    await doBatch(db(), wanda, shop.stages.attributes, () => marked(shop, 'wings', 'horns'), 'exam');
    expect(await leave(db(), wanda, { projectId: shop.projectId })).toMatchObject({
      outcome: 'screened-out',
      completionUrl: expect.stringContaining('cc=SCREEN12'),
    });
    const paid = await db().select().from(tables.ledger).where(eq(tables.ledger.workerId, wanda.userId));
    expect(paid.map(({ kind }) => kind)).toEqual(['exam']);
  });

  it('who left with done but unsubmitted items was sent home as if they had done nothing', async () => {
    const wanda = await actorOf(participant().query);
    await consent(wanda);
    const batch = await take(db(), wanda, shop.stages.attributes);
    await saveDraft(db(), wanda, {
      leaseId: batch.items[0]?.leaseId as string,
      revision: 0,
      document: {},
      answer: { value: marked(shop, 'tail') },
    });
    const left = await leave(db(), wanda, { projectId: shop.projectId });
    expect(left.outcome).toBe('screened-out');
  });

  it('who submits a batch without having done it has not finished, but is paid for what they did', async () => {
    const wanda = await actorOf(participant().query);
    await consent(wanda);
    const batch = await take(db(), wanda, shop.stages.attributes);
    await answer(db(), wanda, batch.items[0]?.leaseId as string, marked(shop, 'tail'));
    await submitBatch(db(), wanda, { batchId: batch.id });
    const left = await leave(db(), wanda, { projectId: shop.projectId });
    expect(left.outcome).toBe('screened-out');
  });

  it('who does nothing gives the place back', async () => {
    const wanda = await actorOf(participant().query);
    expect(await leave(db(), wanda, { projectId: shop.projectId })).toMatchObject({
      outcome: 'returned',
      completionUrl: expect.stringContaining('cc=RETURN12'),
    });
  });

  it('comes under a made-up name: their id at Prolific is in the visit and nowhere else', async () => {
    const { query, submission } = participant();
    const wanda = await actorOf(query);
    const [member] = await db()
      .select()
      .from(tables.memberships)
      .where(eq(tables.memberships.userId, wanda.userId));
    expect(member).toMatchObject({ role: 'worker', cohort: 'Pilot' });
    expect(JSON.stringify(wanda)).not.toContain(submission.participant);
    const trail = await db().select().from(tables.auditLog);
    expect(JSON.stringify(trail)).not.toContain(submission.participant);
    const listed = await call(listRecruitments, {
      headers: await browserOf(curator.email),
      params: { project: shop.slug },
    });
    expect(JSON.stringify(listed.json)).not.toContain(submission.participant);
    expect(listed.json.items[0].visits).toEqual({ active: 1 });
  });

  it('is one account, however often they click and by whichever study of the project they come', async () => {
    const { query, submission } = participant();
    const clicks = await Promise.all(Array.from({ length: 4 }, () => come(query)));
    expect(new Set(clicks.map((each) => each.kind === 'arrived' && each.userId)).size).toBe(1);
    expect(await visits()).toHaveLength(1);
    study = prolificId();
    await call(createRecruitment, {
      headers: await browserOf(curator.email),
      params: { project: shop.slug },
      body: { recruiter: 'prolific', externalId: study, settings: { codes } },
    });
    const again = await come(participant('ACTIVE', submission.participant).query);
    expect(again).toMatchObject({ userId: clicks[0]?.kind === 'arrived' && clicks[0].userId, isNew: false });
  });
});

describe('a visit that ends at Prolific', () => {
  it.each([
    ['RETURNED', 'returned', 'returned'],
    ['TIMED-OUT', 'timed-out', 'expired'],
  ])('as %s frees its items and signs the person out', async (status, state, batchState) => {
    const { query, submission } = participant();
    const wanda = await actorOf(query);
    await consent(wanda);
    await db()
      .insert(tables.sessions)
      .values({ userId: wanda.userId, token: submission.id, expiresAt: new Date(Date.now() + 60_000) });
    const batch = await take(db(), wanda, shop.stages.attributes);
    await answer(db(), wanda, batch.items[0]?.leaseId as string, marked(shop, 'tail'));
    expect(await reclaimVisits(db(), recruitmentId)).toBe(0);

    submission.status = status;
    expect(await studiesWithVisits(db())).toContain(recruitmentId);
    expect(await reclaimVisits(db(), recruitmentId)).toBe(1);
    expect(await reclaimVisits(db(), recruitmentId)).toBe(0);
    expect((await visits())[0]).toMatchObject({ state });
    const [closed] = await db().select().from(tables.batches).where(eq(tables.batches.id, batch.id));
    expect(closed?.state).toBe(batchState);
    const items = await itemsOf(db(), shop.stages.attributes);
    expect(items.reduce((sum, item) => sum + item.leased, 0)).toBe(0);
    const held = await db().select().from(tables.sessions).where(eq(tables.sessions.userId, wanda.userId));
    expect(held).toEqual([]);
    // The finished item is paid even so.
    const paid = await db().select().from(tables.ledger).where(eq(tables.ledger.workerId, wanda.userId));
    expect(paid).toHaveLength(1);
    expect(await kindOf(come(query))).toBe('over');
  });

  it('is asked about while somebody is here, not more than every few minutes', async () => {
    await actorOf(participant().query);
    expect(await scheduleReclaiming(db())).toBe(true);
    expect(await scheduleReclaiming(db())).toBe(false);
  });
});

describe('nobody gets in by guessing', () => {
  it('a participant, a session or a study that Prolific does not confirm', async () => {
    const { query } = participant();
    expect(await kindOf(come({ ...query, PROLIFIC_PID: prolificId() }))).toBe('invalid');
    expect(await kindOf(come({ ...query, SESSION_ID: prolificId() }))).toBe('invalid');
    expect(await kindOf(come({ ...query, STUDY_ID: prolificId() }))).toBe('not-found');
    expect(await visits()).toEqual([]);
  });

  it('with the account of a participant whose visit has ended', async () => {
    const { query, submission } = participant();
    await actorOf(query);
    submission.status = 'AWAITING REVIEW';
    await reclaimVisits(db(), recruitmentId);
    expect(await kindOf(come(query))).toBe('over');
    expect(await kindOf(come(participant('APPROVED', submission.participant).query))).toBe('over');
  });

  it('while Prolific does not answer', async () => {
    const { query } = participant();
    fake.state.isDown = true;
    expect(await kindOf(come(query))).toBe('unavailable');
    expect(await visits()).toEqual([]);
  });

  it('after they were removed from the project, or disabled', async () => {
    const { query } = participant();
    const wanda = await actorOf(query);
    await updateUser(db(), tests, wanda.userId, { isDisabled: true });
    expect(await kindOf(come(query))).toBe('conflict');
    const removed = participant();
    const stan = await actorOf(removed.query);
    await db().delete(tables.memberships).where(eq(tables.memberships.userId, stan.userId));
    expect(await kindOf(come(removed.query))).toBe('conflict');
  });

  it('into a study that is closed, or a project that does not collect', async () => {
    const { query } = participant();
    const set = (state: 'collecting' | 'paused') =>
      db().update(tables.projects).set({ state }).where(eq(tables.projects.id, shop.projectId));
    await set('paused');
    expect(await kindOf(come(query))).toBe('conflict');
    await set('collecting');
    await db()
      .update(tables.recruitments)
      .set({ state: 'closed' })
      .where(eq(tables.recruitments.id, recruitmentId));
    expect(await kindOf(come(query))).toBe('conflict');
  });
});

describe('a preview', () => {
  it('stores nothing', async () => {
    const before = await db().$count(tables.users);
    const seen = await come({
      PROLIFIC_PID: '{{%PROLIFIC_PID%}}',
      STUDY_ID: study,
      SESSION_ID: '{{%SESSION_ID%}}',
    });
    expect(seen.kind).toBe('preview');
    expect(await db().$count(tables.users)).toBe(before);
    expect(await visits()).toEqual([]);
  });

  it('is not what an incomplete link gives', async () => {
    expect(await kindOf(come({ STUDY_ID: study }))).toBe('invalid');
    expect(await kindOf(come({ PROLIFIC_PID: "' or 1=1", STUDY_ID: study, SESSION_ID: 'x' }))).toBe(
      'invalid',
    );
  });
});
