import { sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { newId, tables } from '@/db';
import { area, encodeCounts, rasterizeShapes } from '@/lib/core/mask';
import { decideLabel } from '@/lib/services/curation/audit/decide-label';
import { countQueue } from '@/lib/services/curation/audit/queue';
import {
  closeAudit,
  drawAudit,
  getAudit,
  judgePick,
  listAudits,
  listPicks,
  populations,
} from '@/lib/services/curation/audit/samples';
import { useDatabase } from '../../../support/database';
import { ask, elsewhere, HEIGHT, square, WIDTH } from '../../crowd/workshop';
import { audited, currentLabels, rateAll, verbsIn } from './rated';

const db = useDatabase();

/** Labels from elsewhere: nobody had to draw them. */
async function labelled(count: number) {
  const { shop, curator } = await audited(db());
  const itemIds = await ask(db(), shop, 'object-mask', count, { state: 'settled' });
  const items = await db().select().from(tables.items);
  const drawn = rasterizeShapes(square.kind === 'mask' ? square.shapes : [], HEIGHT, WIDTH);
  await db()
    .insert(tables.labels)
    .values(
      itemIds.map((itemId) => ({
        projectId: shop.projectId,
        itemId,
        imageId: items.find((item) => item.id === itemId)?.imageId as string,
        value: square,
        mask: encodeCounts(drawn),
        area: area(drawn),
        source: 'import' as const,
        provenance: {},
        confidence: 0.9,
      })),
    );
  const draw = (more: Partial<Parameters<typeof drawAudit>[2]> = {}) =>
    drawAudit(db(), curator, {
      projectId: shop.projectId,
      auditId: newId(),
      stageId: null,
      margin: 0.1,
      confidence: 0.95,
      expected: 0.1,
      seed: 'autumn',
      ...more,
    });
  return { shop, curator, draw };
}

describe('a sampled audit', () => {
  it('is as large as the margin asks for, drawn by its seed, and no label comes twice', async () => {
    const { shop, draw } = await labelled(60);
    const [stage] = (await populations(db(), shop.projectId)).filter((each) => each.labels > 0);
    expect(stage).toMatchObject({ id: shop.stages['object-mask'], labels: 60 });
    const ids = async (id: string) => (await listPicks(db(), id)).map((pick) => pick.labelId);
    const [one, same, other] = [await draw(), await draw(), await draw({ seed: 'winter' })];
    expect(one.size).toBe(23);
    expect(await ids(one.id)).toEqual(await ids(same.id));
    expect(await ids(other.id)).not.toEqual(await ids(one.id));
    expect(new Set(await ids(one.id)).size).toBe(23);
    const oldest = (await currentLabels(db(), shop)).map((label) => label.id).slice(0, 23);
    expect(await ids(one.id)).not.toEqual(oldest);
  });

  it('shows the rate with its interval as it goes, takes a judgement back, and stands once closed', async () => {
    const { shop, curator, draw } = await labelled(60);
    const auditId = newId();
    await draw({ auditId });
    await draw({ auditId });
    expect(await listAudits(db(), shop.projectId)).toHaveLength(1);
    const picks = await listPicks(db(), auditId);
    const about = { projectId: shop.projectId, auditId };
    const judge = (place: number, verdict: 'right' | 'wrong' | null) =>
      judgePick(db(), curator, { ...about, labelId: picks[place]?.labelId ?? '', verdict });
    expect((await getAudit(db(), about)).rate).toBeNull();
    for (let place = 0; place < 10; place++) await judge(place, place < 2 ? 'wrong' : 'right');
    const half = await judge(9, 'right');
    expect(half).toMatchObject({ judged: 10, wrong: 2, rate: { value: 0.2, n: 10 } });
    expect((half.rate?.high ?? 0) - (half.rate?.low ?? 0)).toBeGreaterThan(0.3);
    expect(await judge(0, null)).toMatchObject({ judged: 9, wrong: 1 });
    expect(await closeAudit(db(), curator, about)).toMatchObject({ state: 'closed', judged: 9 });
    await expect(judge(11, 'right')).rejects.toThrow('closed');
    const verbs = await verbsIn(db(), shop);
    expect(verbs.filter((verb) => verb === 'label.audit-right')).toHaveLength(8);
    expect(verbs.slice(-2)).toEqual(['label.audit-undone', 'audit.close']);
  });

  it('keeps the label that it drew when a wrong one is put right, and leaves the queue alone', async () => {
    const { shop, curator, draw } = await labelled(5);
    await rateAll(db(), shop);
    const { id: auditId } = await draw();
    const labelId = (await listPicks(db(), auditId))[0]?.labelId ?? '';
    const about = { projectId: shop.projectId, auditId, labelId };
    await judgePick(db(), curator, { ...about, verdict: 'wrong' });
    expect(await countQueue(db(), { projectId: shop.projectId })).toBe(5);
    await decideLabel(db(), curator, {
      projectId: shop.projectId,
      labelId,
      decisionId: newId(),
      verdict: 'corrected',
      value: elsewhere,
    });
    expect((await listPicks(db(), auditId))[0]).toMatchObject({ labelId, verdict: 'wrong' });
    expect(await getAudit(db(), about)).toMatchObject({ wrong: 1, population: 5 });
    const { id: next } = await draw();
    expect((await listPicks(db(), next)).some((pick) => pick.labelId === labelId)).toBe(false);
  });

  it('with a margin that asks for more than 5,000 labels is refused: no page holds it and nobody judges it', async () => {
    const { shop, draw } = await labelled(1);
    await db().execute(sql`
      with made as (
        insert into items (id, project_id, stage_id, image_id, schema_version_id, target, state)
        select gen_random_uuid(), project_id, ${shop.stages['part-mask']}::uuid, image_id, schema_version_id, n::text,
          'settled'
        from items, generate_series(1, 5100) n where stage_id = ${shop.stages['object-mask']}
        returning id, project_id, image_id, target
      )
      insert into labels (id, project_id, item_id, image_id, target, value, source, provenance, confidence)
      select gen_random_uuid(), project_id, id, image_id, target, '{"kind": "nothing"}', 'import', '{}', 1 from made`);
    await expect(draw({ margin: 0.001, expected: 0.5 })).rejects.toMatchObject({
      kind: 'invalid',
      message: expect.stringContaining('at most 5,000'),
    });
    expect(await listAudits(db(), shop.projectId)).toEqual([]);
    expect((await draw({ margin: 0.05 })).size).toBeLessThan(5000);
  });

  it('is nothing where there are no labels, and nobody else’s', async () => {
    const empty = await audited(db());
    const input = {
      projectId: empty.shop.projectId,
      auditId: newId(),
      stageId: null,
      margin: 0.03,
      confidence: 0.95 as const,
      expected: 0.05,
      seed: 's',
    };
    await expect(drawAudit(db(), empty.curator, input)).rejects.toThrow('no labels to audit');
    const { curator: stranger } = await audited(db());
    await expect(drawAudit(db(), stranger, input)).rejects.toThrow('no such project');
  });
});
