import { beforeAll, describe, expect, it } from 'vitest';
import { compareDrawings, disagreementOf } from '@/lib/services/curation/agreement/drawing-agreement';
import { disputesOf } from '@/lib/services/curation/agreement/form-agreement';
import { stageAgreement, stagesWithAnswers } from '@/lib/services/curation/agreement/stage-agreement';
import { useDatabase } from '../../../support/database';
import { countStatements } from '../../access/statements';
import { marked, type Workshop, worker, workshop } from '../../crowd/workshop';
import { box, several } from '../consensus/several';

const db = useDatabase();
let shop: Workshop;
let people: Awaited<ReturnType<typeof worker>>[];

beforeAll(async () => {
  shop = await workshop(db());
  people = await Promise.all(['Ann', 'Bo', 'Cy'].map((name) => worker(db(), shop, name)));
  const form = (...positives: string[][]) =>
    several(
      db(),
      shop,
      'attributes',
      positives.map((list, n) => ({
        by: people[n] as (typeof people)[number],
        value: marked(shop, ...list),
      })),
    );
  await form(['wings'], ['wings'], ['wings']);
  await form(['wings', 'tail'], ['tail'], ['tail']);
  await form(['tail'], ['tail'], ['tail']);
  await form([], ['wings', 'tail', 'horns'], ['wings']);
  const draw = (...values: Parameters<typeof box>[]) =>
    several(
      db(),
      shop,
      'part-mask',
      values.map((value, n) => ({ by: people[n] as (typeof people)[number], value: box(...value) })),
    );
  await draw([10, 10, 20, 20], [10, 10, 20, 20]);
  await draw([10, 10, 20, 20], [20, 10, 20, 20]);
  await several(db(), shop, 'part-mask', [
    { by: people[0] as (typeof people)[number], value: box(10, 10, 20, 20) },
    { by: people[1] as (typeof people)[number], value: { kind: 'nothing' } },
  ]);
});

const stageOf = async (kind: 'attributes' | 'object-mask' | 'part-mask') => {
  const found = (await stagesWithAnswers(db(), shop.projectId)).find(
    (stage) => stage.id === shop.stages[kind],
  );
  if (!found) throw new Error('The project has the stage.');
  return found;
};

describe('a curator looks at the agreement of a stage', () => {
  it('knows how many items have several answers, and how many answers those have', async () => {
    expect(await stageOf('attributes')).toMatchObject({ several: 4, overlap: 3 });
    expect(await stageOf('part-mask')).toMatchObject({ several: 3, overlap: 2 });
    expect(await stageOf('object-mask')).toMatchObject({ several: 0, overlap: null });
  });

  it('reads raw, alpha, AC1 and prevalence of each attribute, or why there is none', async () => {
    const found = await stageAgreement(db(), await stageOf('attributes'), shop.schema);
    if (found.kind !== 'forms') throw new Error('Attributes are forms.');
    expect(found).toMatchObject({ population: 4, sampled: 4 });
    const wings = found.rows.find((row) => row.target === 'wings');
    // Items: 3 of 3, 1 of 3, 0 of 3, 2 of 3 marked it. Pairs that agree: 1, 1/3, 1, 1/3.
    expect(wings?.raw).toMatchObject({ n: 4, value: expect.closeTo(2 / 3) });
    expect(wings?.prevalence).toMatchObject({ value: expect.closeTo(0.5) });
    // 12 answers, 6 of each kind: expected disagreement 72/11, observed 2 × 4/2.
    expect(wings?.alpha).toMatchObject({ value: expect.closeTo(1 - 4 / (72 / 11)) });
    expect(wings?.ac1.value).toBeGreaterThan(0);
    const never = found.rows.find((row) => row.target === 'hairy');
    // All agree on four items: that does not prove that nobody ever will differ.
    expect(never?.raw).toMatchObject({ value: 1, low: expect.closeTo(4 / (4 + 1.96 ** 2), 3), high: 1 });
    expect(never?.ac1).toMatchObject({ value: 1, low: never?.raw.value === null ? 0 : never?.raw.low });
    expect(never?.alpha).toMatchObject({ value: null, reason: expect.stringContaining('same answer') });
    for (const row of found.rows)
      for (const each of [row.raw, row.alpha, row.ac1, row.prevalence])
        expect(each.value === null || Number.isFinite(each.value)).toBe(true);
  });

  it('sees the item on which people differ most first, with what they differ on', async () => {
    const found = await stageAgreement(db(), await stageOf('attributes'), shop.schema);
    if (found.kind !== 'forms') throw new Error('Attributes are forms.');
    expect(found.worst).toHaveLength(2);
    expect(
      found.worst[0]?.disputes.map(({ target, yes, of }) => `${target} ${yes}/${of}`).toSorted(),
    ).toEqual(['horns 1/3', 'tail 1/3', 'wings 2/3']);
    expect(disputesOf({ ...(found.worst[0] as (typeof found.worst)[number]).item, answers: [] })).toEqual([]);
  });

  it('settles whether there is something to draw before it compares outlines', async () => {
    const found = await stageAgreement(db(), await stageOf('part-mask'), shop.schema);
    if (found.kind !== 'drawings') throw new Error('Parts are drawn.');
    const [row] = found.rows;
    expect(row?.detection.raw).toMatchObject({ n: 3, value: expect.closeTo(2 / 3) });
    // The same square twice, and one moved by half of its width: 1 and 1/3.
    expect(row?.iou).toMatchObject({ n: 2, value: expect.closeTo(2 / 3) });
    expect(row?.boundaryIou.n).toBe(2);
    expect(found.worst.map((each) => disagreementOf(each))).toEqual([1, expect.closeTo(2 / 3)]);
    const [first] = found.worst;
    expect(compareDrawings((first as NonNullable<typeof first>).item).iou).toBeNull();
  });

  it('needs as many statements for a stage without answers as for a full one', async () => {
    const [none, some] = [await stageOf('object-mask'), await stageOf('part-mask')];
    expect(await countStatements(db(), () => stageAgreement(db(), some, shop.schema))).toBe(3);
    expect(await countStatements(db(), () => stageAgreement(db(), none, shop.schema))).toBeLessThanOrEqual(3);
    const empty = await stageAgreement(db(), none, shop.schema);
    expect(empty).toMatchObject({ population: 0, sampled: 0, rows: [], worst: [] });
  });
});
