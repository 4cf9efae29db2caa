import { desc, eq } from 'drizzle-orm';
import { z } from 'zod';
import { type Db, tables } from '@/db';
import { notFound } from '@/lib/core/errors';
import { defaultRules, type Rule, type RuleSetting, rules } from '@/lib/core/quality/rules';
import { type Actor, authoriseThrough } from '@/lib/services/access';
import { log } from '@/lib/services/observability/log';
import { effectivePolicy } from '../work/effective-policy';

const { ruleSets, projects, stages } = tables;

const Setting = z.object({ id: z.string(), params: z.record(z.string(), z.unknown()).default({}) });

/**
 * The newest rule set of a project, or Tessera's. A rule that this version does not know is left out and logged:
 * no worker must be kept from handing in a batch by it.
 */
export async function rulesInForce(db: Db, projectId: string): Promise<readonly RuleSetting[]> {
  const [newest] = await db
    .select({ number: ruleSets.number, rules: ruleSets.rules })
    .from(ruleSets)
    .where(eq(ruleSets.projectId, projectId))
    .orderBy(desc(ruleSets.number))
    .limit(1);
  if (!newest) return defaultRules;
  return newest.rules.flatMap((stored) => {
    const setting = Setting.safeParse(stored).data;
    const rule = rules.find((each) => each.id === setting?.id);
    const params = setting && rule && knownParams(rule, setting.params);
    if (params) return [{ id: rule.id, params }];
    log.warn(
      { projectId, number: newest.number, rule: stored },
      'a rule was left out: it is not known or not valid',
    );
    return [];
  });
}

/**
 * The settings that this version of a rule has; null where one of them is not valid. Settings of earlier versions of
 * the rule are dropped.
 */
function knownParams(rule: Rule, stored: Record<string, unknown>): Record<string, unknown> | null {
  const params = Object.fromEntries(Object.entries(stored).filter(([name]) => name in rule.params.shape));
  return rule.params.safeParse(params).success ? params : null;
}

/** A stage as its curators see it; for everybody else there is no such stage. */
export async function crowdStage(db: Db, actor: Actor, verb: 'crowd.read' | 'crowd.manage', stageId: string) {
  const [found] = await db
    .select({ stage: stages, projectPolicy: projects.policy })
    .from(stages)
    .innerJoin(projects, eq(projects.id, stages.projectId))
    .where(eq(stages.id, stageId));
  await authoriseThrough(db, actor, verb, { what: 'stage', projectId: found?.stage.projectId });
  if (!found) throw notFound('stage');
  const { stage, projectPolicy } = found;
  const policy = effectivePolicy(projectPolicy, stage.policy);
  return { projectId: stage.projectId, stageId, stageKind: stage.kind, policy };
}
