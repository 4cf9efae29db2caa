import { eq } from 'drizzle-orm';
import { beforeAll, describe, expect, it } from 'vitest';
import { listActivity } from '@/app/api/v1/guide-and-activity';
import { newId, tables } from '@/db';
import { allAudit, auditWords, describeActivity, findSubjects, listAudit } from '@/lib/services/activity';
import { call, withKey } from '../../../app/api/call';
import { useDatabase } from '../../../support/database';
import { join, keyOf, person } from '../../access/people';
import { type Workshop, workshop } from '../../crowd/workshop';

const db = useDatabase();
let shop: Workshop;
let headers: Record<string, string>;

beforeAll(async () => {
  shop = await workshop(db());
  const carla = await person(db(), 'Carla');
  await join(db(), carla, shop.projectId, 'curator');
  headers = withKey(await keyOf(db(), carla, 'read'));
  await db()
    .insert(tables.auditLog)
    .values(
      Array.from({ length: 25 }, (_, n) => ({
        actor: n % 5 ? 'Carla' : 'Ruben',
        projectId: shop.projectId,
        verb: n % 2 ? 'policy.change' : 'gold.decide',
        subject: 'gold',
        createdAt: new Date(Date.UTC(2026, 0, 1 + n)),
      })),
    );
});

const seen = async (filter: Parameters<typeof allAudit>[1]) => {
  const rows = [];
  for await (const row of allAudit(db(), { projectId: shop.projectId, ...filter })) rows.push(row);
  return rows;
};

describe('the activity of a project', () => {
  it('is filtered by person, verb, subject and time', async () => {
    expect(await seen({ actor: 'Ruben' })).toHaveLength(5);
    expect(await seen({ verb: 'policy.change' })).toHaveLength(12);
    expect(await seen({ subject: 'nothing' })).toEqual([]);
    const days = { from: new Date(Date.UTC(2026, 0, 3)), until: new Date(Date.UTC(2026, 0, 6)) };
    expect((await seen(days)).map((row) => row.createdAt.getUTCDate()).toSorted()).toEqual([3, 4, 5]);
  });

  it('says what there is to choose from', async () => {
    const words = await auditWords(db(), shop.projectId);
    expect(words.actors).toEqual(expect.arrayContaining(['Carla', 'Ruben']));
    expect(words.verbs).toEqual(expect.arrayContaining(['gold.decide', 'policy.change', 'project.create']));
  });

  it('names nobody of the crowd to a researcher', async () => {
    const [wanda, ruth] = [await person(db(), 'Wanda Secret'), await person(db(), 'Ruth')];
    await join(db(), wanda, shop.projectId, 'worker');
    await join(db(), ruth, shop.projectId, 'researcher');
    const entry = { projectId: shop.projectId, subject: 'project' };
    await db()
      .insert(tables.auditLog)
      .values([
        { ...entry, actor: 'Wanda Secret', actorId: wanda.userId, verb: 'message.send' },
        { ...entry, actor: 'Carla', verb: 'invitation.create', detail: { email: 'secret@example.org' } },
      ]);
    const ask = async (actor: typeof ruth) => {
      const own = withKey(await keyOf(db(), actor, 'read'));
      const reply = await call(listActivity, {
        headers: own,
        params: { project: shop.slug },
        query: 'limit=100',
      });
      return JSON.stringify(reply.json);
    };
    expect(await ask(ruth)).toContain('policy.change');
    expect((await ask(ruth)).toLowerCase()).not.toContain('secret');
    expect(JSON.stringify(await auditWords(db(), shop.projectId, { withoutPeople: true }))).not.toContain(
      'Wanda',
    );
    const all = await call(listActivity, {
      headers,
      params: { project: shop.slug },
      query: 'limit=100',
    });
    expect(JSON.stringify(all.json)).toContain('Wanda Secret');
  });

  it('is paged by key without a gap', async () => {
    const ids: string[] = [];
    let before: string | undefined;
    do {
      const rows = await listAudit(db(), { projectId: shop.projectId, before, limit: 10 });
      ids.push(...rows.map((row) => row.id));
      before = rows.length === 10 ? rows.at(-1)?.id : undefined;
    } while (before);
    expect(ids).toEqual((await seen({})).map((row) => row.id));
    expect(ids).toEqual(ids.toSorted().reverse());
  });

  it('is described in sentences that link to images and people, without ids', async () => {
    const [stage] = await db()
      .select()
      .from(tables.stages)
      .where(eq(tables.stages.projectId, shop.projectId));
    const walter = await person(db(), 'Walter');
    await join(db(), walter, shop.projectId, 'worker');
    const events = [
      { verb: 'worker.pause', subject: 'user', subjectId: walter.userId, detail: {} },
      { verb: 'guide.save', subject: 'stage', subjectId: stage?.id ?? '', detail: { number: 2 } },
      { verb: 'model.promote', subject: 'model', subjectId: newId(), detail: { name: 'Old model' } },
      { verb: 'images.delete', subject: 'images', subjectId: null, detail: { count: 1 } },
      { verb: 'thing.new-act', subject: 'thing', subjectId: null, detail: {} },
    ];
    const subjects = await findSubjects(db(), shop.projectId, events);
    const sentences = events.map((event) => describeActivity(event, subjects));
    expect(sentences.map((parts) => parts.map(({ text }) => text).join(''))).toEqual([
      'Paused the worker Walter',
      `Saved version 2 of the guide for the stage ${stage?.name}`,
      'Promoted the model Old model',
      'Deleted 1 image',
      'Thing: new act',
    ]);
    expect(sentences[0]?.[1]).toEqual({ text: 'Walter', path: `/crowd/${walter.userId}` });
    expect(await findSubjects(db(), newId(), events.slice(1, 2))).toEqual(new Map());
  });

  it('cannot be changed or deleted', async () => {
    await expect(db().update(tables.auditLog).set({ verb: 'x' })).rejects.toThrow();
    await expect(db().delete(tables.auditLog)).rejects.toThrow();
  });

  it('is read through the API', async () => {
    const params = { project: shop.slug };
    const page = await call(listActivity, { params, headers, query: '?limit=3&actor=Ruben' });
    expect(page.status).toBe(200);
    expect(page.json.items).toHaveLength(3);
    const next = await call(listActivity, {
      params,
      headers,
      query: `?limit=3&actor=Ruben&cursor=${page.json.next}`,
    });
    expect(next.json.items).toHaveLength(2);
    expect(next.json.next).toBeNull();
  });
});
