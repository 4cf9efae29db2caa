import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { whoPasses } from '@/app/(console)/projects/[project]/crowd/exams/who-passes';
import { tables } from '@/db';
import { listAudit } from '@/lib/services/activity';
import { crowdStages } from '@/lib/services/crowd/overview/crowd-stages';
import { examAttempts } from '@/lib/services/crowd/overview/worker-stages';
import { barOf } from '@/lib/services/crowd/policy/exam-bar';
import { setBar } from '@/lib/services/crowd/policy/set-bar';
import { useDatabase } from '../../../support/database';
import { tests } from '../../access/people';
import { worker, workshop } from '../workshop';
import { form, sat } from './past';

const db = useDatabase();

const bar = (precision: number, recall: number) => ({ kind: 'attributes' as const, precision, recall });

describe('the exams of a project', () => {
  it('come with accuracy: the share of all options of all forms that are right', async () => {
    const shop = await workshop(db());
    const ann = await worker(db(), shop, 'Ann');
    await sat(db(), shop, ann, {
      precision: 0.8,
      recall: 0.9,
      passed: true,
      answers: [
        { check: { passed: true, score: form(3, 1, 0) } },
        { check: { passed: true, score: form(3, 0, 1) } },
      ],
    });
    const [attempt] = await examAttempts(db(), shop.projectId, { options: 20 });
    // Two of 2 × 20 options are wrong.
    expect(attempt).toMatchObject({ name: 'Ann', attempt: 1, passed: true, accuracy: 0.95 });
    expect(attempt?.precision).toBeCloseTo(0.8);
  });

  it('show who would pass at another bar, by the best attempt of each person', () => {
    const sitting = (name: string, precision: number, recall: number, passed: boolean) => ({
      workerId: name,
      name,
      precision,
      recall,
      meanIou: null,
      passed,
    });
    const sittings = [
      sitting('Ann', 0.9, 0.9, true),
      sitting('Bo', 0.9, 0.6, false),
      sitting('Bo', 0.7, 0.7, false),
      sitting('Cy', 0.76, 0.76, true),
    ];
    expect(whoPasses(sittings, bar(0.75, 0.75))).toMatchObject({ sat: 3, would: 2, gained: [], lost: [] });
    expect(whoPasses(sittings, bar(0.7, 0.7))).toMatchObject({ would: 3, gained: [{ name: 'Bo' }] });
    expect(whoPasses(sittings, bar(0.8, 0.8))).toMatchObject({ would: 1, lost: [{ name: 'Cy' }] });
  });
});

describe('a new bar', () => {
  const outcomes = async (projectId: string) =>
    Object.fromEntries(
      (await examAttempts(db(), projectId, { options: 0 })).map(({ name, passed }) => [name, passed]),
    );

  it('holds in its stage, lets in who reaches it, and puts nobody out', async () => {
    const shop = await workshop(db());
    const [ann, bo, cy] = [
      await worker(db(), shop, 'Ann'),
      await worker(db(), shop, 'Bo'),
      await worker(db(), shop, 'Cy'),
    ];
    await sat(db(), shop, ann, { precision: 0.76, recall: 0.66, passed: true });
    const examOfBo = await sat(db(), shop, bo, { precision: 0.8, recall: 0.7, passed: false });
    await sat(db(), shop, cy, { precision: 0.4, recall: 0.9, passed: false });
    const input = { projectId: shop.projectId, stageId: shop.stages.attributes, bar: bar(0.8, 0.7) };
    expect(await setBar(db(), tests, { ...input, letsIn: true })).toEqual({ letIn: 1 });
    expect(await outcomes(shop.projectId)).toEqual({ Ann: true, Bo: true, Cy: false });

    const [project] = await db().select().from(tables.projects).where(eq(tables.projects.id, shop.projectId));
    const stages = await crowdStages(db(), project as NonNullable<typeof project>);
    const barIn = (kind: string) => {
      const stage = stages.find((each) => each.kind === kind);
      return stage && barOf(stage.kind, stage.policy);
    };
    expect(barIn('attributes')).toEqual(bar(0.8, 0.7));
    expect(barIn('part-mask')).toEqual({ kind: 'masks', iou: 0.7 });

    const [decision] = await db()
      .select()
      .from(tables.decisions)
      .where(eq(tables.decisions.subjectId, examOfBo));
    expect(decision).toMatchObject({ subject: 'exam', verdict: 'passed' });
    const [entry] = await listAudit(db(), { projectId: shop.projectId, limit: 1 });
    expect(entry).toMatchObject({ verb: 'exam.set-bar', detail: { to: bar(0.8, 0.7), letIn: 1 } });
  });

  it('leaves old exams alone unless it is told to let people in', async () => {
    const shop = await workshop(db());
    const bo = await worker(db(), shop, 'Bo');
    await sat(db(), shop, bo, { precision: 0.9, recall: 0.7, passed: false });
    const input = { projectId: shop.projectId, stageId: shop.stages.attributes, bar: bar(0.1, 0.1) };
    expect(await setBar(db(), tests, { ...input, letsIn: false })).toEqual({ letIn: 0 });
    expect(await outcomes(shop.projectId)).toEqual({ Bo: false });
  });

  it('is refused for a stage of another project and for the wrong kind of exam', async () => {
    const shop = await workshop(db());
    const other = await workshop(db());
    const wrongKind = {
      projectId: shop.projectId,
      stageId: shop.stages['part-mask'],
      bar: bar(0.5, 0.5),
      letsIn: false,
    };
    await expect(setBar(db(), tests, wrongKind)).rejects.toThrow('no exam with such a bar');
    const wrongProject = { ...wrongKind, stageId: other.stages.attributes };
    await expect(setBar(db(), tests, wrongProject)).rejects.toThrow('no such stage');
  });
});
