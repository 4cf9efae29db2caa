import { beforeAll, describe, expect, it } from 'vitest';
import { fillProject } from '@/bench/crowd/fill';
import { defaultPolicy } from '@/lib/core/quality/policy';
import { defaultRules } from '@/lib/core/quality/rules';
import type { SimulationReport } from '@/lib/demo/simulation/http/report';
import { simulate } from '@/lib/demo/simulation/http/simulate';
import { KnownScenes } from '@/lib/demo/simulation/known-scenes';
import { storage } from '@/lib/services/storage';
import { origin } from '../../app/api/call';
import { join, password, person } from '../../services/access/people';
import { useDatabase } from '../../support/database';
import { useHome } from '../../support/home';
import { inProcess } from './in-process';

const db = useDatabase();
useHome();
let report: SimulationReport;

/** Small exams and batches, so that six people get through all stages with little gold. */
const policy = {
  ...defaultPolicy,
  batchSize: { attributes: 4, masks: 4 },
  attributeExam: { ...defaultPolicy.attributeExam, images: 4 },
  maskExam: { ...defaultPolicy.maskExam, masks: 2 },
  // The simulated people wait for nothing, so every batch of theirs is instant.
  payReview: { minFormSeconds: 0, minMaskSeconds: 0, constantAnswers: null },
};

beforeAll(async () => {
  const scenes = new KnownScenes('rival10');
  const { projectId, slug } = await fillProject(db(), scenes, {
    slug: 'trial',
    policy,
    rules: defaultRules,
    pictures: 8,
    gold: 14,
    storage: storage(),
  });
  const curator = await person(db(), 'Carla');
  await join(db(), curator, projectId, 'curator');
  report = await simulate({
    url: origin,
    fetch: inProcess,
    curator: { email: curator.email, password },
    project: slug,
    workers: 6,
    seconds: 150,
    mix: { careful: 3, average: 1, spammer: 1, colluder: 1 },
    seed: 3,
    speed: Number.POSITIVE_INFINITY,
  });
  // Hashing fourteen passwords takes its time on a busy machine.
}, 240_000);

describe('a simulated crowd at the real endpoints', () => {
  it('joins, agrees, passes exams and does the work there is', () => {
    expect(report.errors).toEqual({ count: 0, examples: [] });
    expect(report.examItems).toBeGreaterThanOrEqual(6 * 4);
    expect(report.items).toBeGreaterThan(8);
  });

  it('gets no question twice, gives no question too many answers, and sees nothing that gives a check away', () => {
    expect({ doubles: report.doubles, repeats: report.repeats, leaks: report.leaks }).toEqual({
      doubles: 0,
      repeats: 0,
      leaks: {},
    });
  });

  it('is judged by what the generator knows, and by what it cost', () => {
    expect(report.quality?.labels).toBeGreaterThan(8);
    expect(report.quality?.precision).toBeGreaterThan(0);
    expect(report.quality?.meanIou).toBeGreaterThan(0);
    expect(Number(report.cost.perLabelMicro)).toBeGreaterThan(50_000);
  });

  it('is timed by errand', () => {
    expect(Object.keys(report.latency)).toEqual(
      expect.arrayContaining(['join', 'sign in', 'next batch', 'read batch', 'answer', 'submit']),
    );
    expect(report.requests).toBeGreaterThan(report.items);
  });
});
