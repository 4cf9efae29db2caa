import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { policyFields } from '@/app/(console)/projects/[project]/crowd/policy/policy-fields';
import {
  inputFor,
  readPolicy,
  valueAt,
  wordsFor,
} from '@/app/(console)/projects/[project]/crowd/policy/policy-values';
import { tables } from '@/db';
import { defaultPolicy, type Policy } from '@/lib/core/quality/policy';
import { rival10Policy } from '@/lib/core/quality/rival10';
import { listAudit } from '@/lib/services/activity';
import { crowdStages } from '@/lib/services/crowd/overview/crowd-stages';
import { changePolicy, dropStagePolicy, policyDifferences } from '@/lib/services/crowd/policy/change-policy';
import { useDatabase } from '../../../support/database';
import { tests } from '../../access/people';
import { workshop } from '../workshop';

const db = useDatabase();

/** What a browser sends of the form that shows this policy. */
const sent = (policy: Policy) =>
  Object.fromEntries(
    policyFields.flatMap((field) => {
      const value = valueAt(policy, field.path);
      if (field.kind === 'switch') return value ? [[field.path, 'on']] : [];
      return [[field.path, inputFor(field, value)]];
    }),
  );

describe('the form of the policy', () => {
  it('asks for everything that a policy says, and reads back what it shows', () => {
    for (const policy of [rival10Policy, defaultPolicy]) {
      expect(readPolicy(sent(policy))).toMatchObject({ policy, errors: {} });
    }
  });

  it('says which field is wrong, and what to write instead', () => {
    const wrong = { ...sent(defaultPolicy), leaseMinutes: '2', 'pay.mask': 'a lot', 'pay.currency': 'EURO' };
    const { policy, errors } = readPolicy(wrong);
    expect(policy).toBeNull();
    expect(errors).toEqual({
      leaseMinutes: 'At least 5.',
      'pay.currency': 'Three letters.',
      'pay.mask': 'Enter a number.',
    });
    expect(readPolicy({ ...sent(defaultPolicy), overlap: '3', maxOverlap: '2' }).errors).toHaveProperty(
      'maxOverlap',
    );
  });

  it('speaks of money, limits and switches in words', () => {
    const field = (path: string) =>
      policyFields.find((each) => each.path === path) as (typeof policyFields)[number];
    expect(wordsFor(field('pay.mask'), 100_000, 'USD')).toBe('0.10\u202fUSD');
    expect(wordsFor(field('limits.itemsPerDay'), null, 'USD')).toBe('no limit');
    expect(wordsFor(field('subtractOtherParts'), true, 'USD')).toBe('yes');
  });
});

describe('a change of the policy', () => {
  const projectOf = async (id: string) => {
    const [project] = await db().select().from(tables.projects).where(eq(tables.projects.id, id));
    return project as NonNullable<typeof project>;
  };

  it('holds at once, and the log keeps what changed', async () => {
    const { projectId } = await workshop(db());
    await changePolicy(db(), tests, { projectId, policy: rival10Policy });
    const wanted = { ...rival10Policy, checkRate: 0.1, pay: { ...rival10Policy.pay, mask: 120_000 } };
    await changePolicy(db(), tests, { projectId, policy: wanted });
    const [stage] = await crowdStages(db(), await projectOf(projectId));
    expect(stage?.policy).toEqual(wanted);
    const [entry] = await listAudit(db(), { projectId, limit: 1 });
    expect(entry?.detail).toEqual({
      checkRate: { from: 0.05, to: 0.1 },
      'pay.mask': { from: 100_000, to: 120_000 },
    });
    await changePolicy(db(), tests, { projectId, policy: wanted });
    expect((await listAudit(db(), { projectId, limit: 1 }))[0]?.id).toBe(entry?.id);
  });

  it('is refused when it is not a policy', async () => {
    const { projectId } = await workshop(db());
    const change = (part: object) =>
      changePolicy(db(), tests, { projectId, policy: { ...rival10Policy, ...part } });
    await expect(change({ checkRate: 2 })).rejects.toThrow('checkRate');
    await expect(change({ overlap: 3, maxOverlap: 2 })).rejects.toThrow('cannot be fewer');
  });

  it('leaves what a stage says itself, until that is dropped', async () => {
    const shop = await workshop(db());
    const stageId = shop.stages.attributes;
    await db()
      .update(tables.stages)
      .set({ policy: { checkRate: 0.5 } })
      .where(eq(tables.stages.id, stageId));
    await changePolicy(db(), tests, { projectId: shop.projectId, policy: rival10Policy });
    const rate = async () => {
      const stages = await crowdStages(db(), await projectOf(shop.projectId));
      return stages.find((stage) => stage.id === stageId)?.policy.checkRate;
    };
    expect(await rate()).toBe(0.5);
    await dropStagePolicy(db(), tests, { projectId: shop.projectId, stageId });
    expect(await rate()).toBe(0.05);
  });

  it('is told number by number', () => {
    const other = { ...rival10Policy, gold: { ...rival10Policy.gold, maxExposures: 5 } };
    expect(policyDifferences(rival10Policy, other)).toEqual([
      { path: 'gold.maxExposures', from: 10_000, to: 5 },
    ]);
  });
});
