import { and, eq } from 'drizzle-orm';
import { beforeAll, describe, expect, it } from 'vitest';
import { getConsent, giveConsent, withdrawConsent } from '@/app/api/v1/account';
import { newId, tables } from '@/db';
import { rival10Policy } from '@/lib/core/quality/rival10';
import {
  agree,
  ConsentDocument,
  consentHistory,
  consentOf,
  draftText,
  newestText,
  publishText,
  withdraw,
} from '@/lib/services/crowd/consent';
import { consentTemplate } from '@/lib/services/crowd/consent/template';
import { createProject } from '@/lib/services/projects';
import { browserOf, call } from '../../../app/api/call';
import { useDatabase } from '../../../support/database';
import { person, tests } from '../../access/people';
import { answer, ask, itemsOf, marked, paidTo, take, type Workshop, worker, workshop } from '../workshop';

const db = useDatabase();
let shop: Workshop;

beforeAll(async () => {
  shop = await workshop(db());
});

const kindOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 'done',
    (error) => error.kind,
  );
const stateOf = async (actor: { userId: string }, projectId = shop.projectId) =>
  (await consentOf(db(), { projectId, workerId: actor.userId })).state;

describe('the text of a project', () => {
  it('is there from its first moment, with every field filled from the policy', async () => {
    const { number, document } = await newestText(db(), shop.projectId);
    expect(number).toBe(1);
    expect(ConsentDocument.parse(document)).toEqual(document);
    expect(document.projectTitle).toBe('Birds');
    expect(document.compensation).toContain('1.50');
    expect(document.statement).toContain('18');
  });

  it('tells of the policy that the project was made with', async () => {
    const policy = { batchSize: { attributes: 10, masks: 10 }, pay: { attributeBatch: 750_000 } };
    const slug = `p${newId().slice(-10)}`;
    const made = await createProject(db(), tests, { name: 'Policy', slug, preset: 'rival10', policy });
    const { document } = await newestText(db(), made.id);
    expect(document.compensation).toContain('0.75');
    expect(document.compensation).toContain('10 pictures');
    expect(document.compensation).not.toContain('20 pictures');
  });

  it('says what the policy says: no exam where none is required', () => {
    const subject = {
      name: 'P',
      description: '',
      stages: ['attributes' as const],
      contact: null,
      policy: rival10Policy,
    };
    expect(consentTemplate(subject).qualificationTest).toContain('20 pictures');
    const policy = { ...rival10Policy, attributeExam: { ...rival10Policy.attributeExam, isRequired: false } };
    expect(consentTemplate({ ...subject, policy }).qualificationTest).toContain('There is no exam');
  });

  it('must keep every field, and speak of the age', async () => {
    const document = await draftText(db(), shop.projectId);
    const projectId = shop.projectId;
    expect(await kindOf(publishText(db(), tests, { projectId, document: { ...document, risks: ' ' } }))).toBe(
      'invalid',
    );
    expect(
      await kindOf(publishText(db(), tests, { projectId, document: { ...document, statement: 'I agree.' } })),
    ).toBe('invalid');
  });

  it('is made late for a project from before there were such texts', async () => {
    const [old] = await db().insert(tables.projects).values({ slug: 'old-one', name: 'Old' }).returning();
    const texts = await Promise.all(Array.from({ length: 4 }, () => newestText(db(), old?.id as string)));
    expect(new Set(texts.map(({ id }) => id)).size).toBe(1);
  });
});

describe('a worker', () => {
  it('agrees through the API, once however often it is said', async () => {
    const wanda = await worker(db(), shop);
    const headers = await browserOf(wanda.email);
    const params = { project: shop.slug };
    const read = await call(getConsent, { headers, params });
    const before = await consentHistory(db(), { workerId: wanda.userId });
    const body = { textId: read.json.text.id, isAdult: true };
    expect((await call(giveConsent, { headers, params, body })).json.state).toBe('agreed');
    expect((await call(giveConsent, { headers, params, body })).json.state).toBe('agreed');
    const after = await consentHistory(db(), { workerId: wanda.userId });
    expect(after.length).toBeLessThanOrEqual(before.length + 1);
    expect(after[0]).toMatchObject({ kind: 'agreed', number: 1 });
  });

  it('does not agree as a minor, to a text that is not the newest, or in a project that is not theirs', async () => {
    const wanda = await worker(db(), shop);
    const stranger = await person(db(), 'Stan');
    const { id: textId } = await newestText(db(), shop.projectId);
    const input = { projectId: shop.projectId, textId, isAdult: true };
    expect(await kindOf(agree(db(), wanda, { ...input, isAdult: false }))).toBe('invalid');
    expect(await kindOf(agree(db(), wanda, { ...input, textId: shop.projectId }))).toBe('conflict');
    expect(await kindOf(agree(db(), stranger, input))).toBe('not-found');
    const headers = await browserOf(wanda.email);
    const refused = await call(giveConsent, {
      headers,
      params: { project: shop.slug },
      body: { textId, isAdult: false },
    });
    expect(refused.status).toBe(400);
  });

  it('is asked again when the text changes', async () => {
    const other = await workshop(db());
    const wanda = await worker(db(), other);
    const first = await newestText(db(), other.projectId);
    const who = { projectId: other.projectId, isAdult: true };
    await agree(db(), wanda, { ...who, textId: first.id });
    expect(await stateOf(wanda, other.projectId)).toBe('agreed');
    const next = await publishText(db(), tests, {
      projectId: other.projectId,
      document: { ...first.document, risks: 'Some pictures show blood.' },
    });
    expect(next.number).toBe(2);
    expect(await stateOf(wanda, other.projectId)).toBe('outdated');
    expect(await kindOf(agree(db(), wanda, { ...who, textId: first.id }))).toBe('conflict');
    await agree(db(), wanda, { ...who, textId: next.id });
    expect(await stateOf(wanda, other.projectId)).toBe('agreed');
  });

  it('withdraws in the middle of a batch: what is finished is paid, what is open is free again', async () => {
    const own = await workshop(db());
    await ask(db(), own, 'attributes', 4);
    const wanda = await worker(db(), own);
    const { id: textId } = await newestText(db(), own.projectId);
    await agree(db(), wanda, { projectId: own.projectId, textId, isAdult: true });
    const batch = await take(db(), wanda, own.stages.attributes);
    await answer(db(), wanda, batch.items[0]?.leaseId as string, marked(own, 'tail'));
    const headers = await browserOf(wanda.email);
    const gone = await call(withdrawConsent, { headers, params: { project: own.slug } });
    expect(gone.json).toEqual({ returned: 1 });
    expect(await stateOf(wanda, own.projectId)).toBe('withdrawn');
    expect((await paidTo(db(), wanda)).length).toBe(1);
    const left = await itemsOf(db(), own.stages.attributes);
    expect(left.reduce((sum, item) => sum + item.leased, 0)).toBe(0);
    expect(left.reduce((sum, item) => sum + item.answered, 0)).toBe(1);
    // Saying it again changes nothing; coming back is possible.
    expect(await withdraw(db(), wanda, { projectId: own.projectId })).toEqual({ returned: 0 });
    await agree(db(), wanda, { projectId: own.projectId, textId, isAdult: true });
    const kinds = (await consentHistory(db(), { workerId: wanda.userId, projectId: own.projectId })).map(
      ({ kind }) => kind,
    );
    expect(kinds.slice(0, 2)).toEqual(['agreed', 'withdrawn']);
  });

  it('leaves a trace of every step that nobody can change', async () => {
    const [row] = await db().select().from(tables.consents).limit(1);
    const change = db()
      .delete(tables.consents)
      .where(and(eq(tables.consents.id, row?.id as string)));
    await expect(change).rejects.toThrow();
  });
});
