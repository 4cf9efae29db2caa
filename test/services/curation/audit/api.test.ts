import { describe, expect, it } from 'vitest';
import {
  auditLabel,
  auditQueue,
  closeAudit,
  decideLabel,
  decideLabels,
  drawAudit,
  getAudit,
  judgeAuditLabel,
  listAudits,
  rateLabels,
  undoLabelDecision,
} from '@/app/api/v1/audit';
import { newId } from '@/db';
import { call, withKey } from '../../../app/api/call';
import { useDatabase } from '../../../support/database';
import { join, keyOf, person } from '../../access/people';
import { ask, doBatch, square, worker } from '../../crowd/workshop';
import { audited, rateAll } from './rated';

const db = useDatabase();

async function studio() {
  const { shop, curator } = await audited(db());
  const ann = await worker(db(), shop, 'Ann');
  const ruben = await person(db(), 'Ruben');
  await join(db(), ruben, shop.projectId, 'researcher');
  await ask(db(), shop, 'object-mask', 4);
  await doBatch(db(), ann, shop.stages['object-mask'], () => square);
  await rateAll(db(), shop);
  const headers = async (who: typeof curator) => withKey(await keyOf(db(), who, 'read', 'labels:write'));
  return {
    project: shop.slug,
    curator: await headers(curator),
    others: [await headers(ruben), await headers(ann)],
  };
}

describe('the API of the audit', () => {
  it('walks the queue by cursor, decides, and takes it back', async () => {
    const { project, curator: headers } = await studio();
    const first = await call(auditQueue, { params: { project }, query: '?limit=3', headers });
    expect(first.json.items).toHaveLength(3);
    const query = `?limit=3&cursor=${first.json.next}`;
    const rest = await call(auditQueue, { params: { project }, query, headers });
    expect(rest.json).toMatchObject({ items: [{ kind: 'mask' }], next: null });
    const label = first.json.items[0].labelId as string;
    const one = await call(auditLabel, { params: { project, label }, headers });
    expect(one.json).toMatchObject({ id: label, answers: [{ worker: 'Ann', iou: 1, boundaryIou: 1 }] });
    const body = { id: newId(), verdict: 'rejected', reason: 'Too coarse.' };
    const decided = await call(decideLabel, { params: { project, label }, body, headers });
    expect(decided.json).toEqual({ decisionId: body.id, newLabelId: null });
    const late = { id: newId(), verdict: 'accepted' };
    expect(await call(decideLabel, { params: { project, label }, body: late, headers })).toMatchObject({
      status: 409,
      json: { detail: expect.stringContaining('Carla has decided about this label: rejected') },
    });
    const undone = await call(undoLabelDecision, { params: { project, decision: body.id }, headers });
    expect(undone.json).toEqual({ labelId: label });
    const labels = first.json.items.map((row: { labelId: string }) => ({
      labelId: row.labelId,
      id: newId(),
    }));
    const many = await call(decideLabels, {
      params: { project },
      body: { verdict: 'accepted', labels },
      headers,
    });
    expect(many.json.items.every((each: { problem: unknown }) => each.problem === null)).toBe(true);
    const rating = await call(rateLabels, { params: { project }, headers });
    expect(rating.status).toBe(202);
  });

  it('draws a sample, hears right and wrong, and closes it', async () => {
    const { project, curator: headers } = await studio();
    const id = newId();
    const drawn = await call(drawAudit, { params: { project }, body: { id, margin: 0.05 }, headers });
    expect(drawn).toMatchObject({ status: 201, json: { id, size: 4 } });
    const audit = await call(getAudit, { params: { project, audit: id }, headers });
    expect(audit.json.picks).toHaveLength(4);
    const label = audit.json.picks[0].labelId as string;
    const judged = await call(judgeAuditLabel, {
      params: { project, audit: id, label },
      body: { verdict: 'wrong' },
      headers,
    });
    expect(judged.json).toMatchObject({ judged: 1, wrong: 1, rate: { value: 1, n: 1 } });
    const closed = await call(closeAudit, { params: { project, audit: id }, headers });
    expect(closed.json.state).toBe('closed');
    expect((await call(listAudits, { params: { project }, headers })).json.items).toHaveLength(1);
  });

  it('refuses nonsense, and does not exist for researchers and workers', async () => {
    const { project, curator: headers, others } = await studio();
    const queue = await call(auditQueue, { params: { project }, headers });
    const label = queue.json.items[0].labelId as string;
    for (const body of [
      { id: newId(), verdict: 'rejected', reason: ' ' },
      { id: newId(), verdict: 'perhaps' },
      { id: newId(), verdict: 'corrected', value: { kind: 'mask', shapes: [] } },
    ])
      expect((await call(decideLabel, { params: { project, label }, body, headers })).status).toBe(400);
    const accept = { id: newId(), verdict: 'accepted' };
    for (const stranger of others) {
      expect((await call(auditQueue, { params: { project }, headers: stranger })).status).toBe(404);
      expect((await call(auditLabel, { params: { project, label }, headers: stranger })).status).toBe(404);
      expect(
        (await call(decideLabel, { params: { project, label }, body: accept, headers: stranger })).status,
      ).toBe(404);
      expect((await call(listAudits, { params: { project }, headers: stranger })).status).toBe(404);
    }
  });
});
