import { sql } from 'drizzle-orm';
import { type Db, tables } from '@/db';
import { type GoldPool, goldPools, type StageKind } from '@/db/schema';
import type { DatasetSchema } from '@/lib/core/schema';
import { neededImages } from '@/lib/services/crowd/gold';
import { crowdStages } from '@/lib/services/crowd/overview/crowd-stages';
import { getVersion } from '@/lib/services/projects/schema';

const { gold, guides, images, invitations, items, memberships, recruitments } = tables;

export interface StageGold {
  stageId: string;
  name: string;
  kind: StageKind;
  active: number;
  candidates: number;
  /** Distinct images in use, by pool: a worker meets a gold image once. */
  images: Record<GoldPool, number>;
  /** Images that each pool needs under the policy. */
  needed: Record<GoldPool, number>;
  /** Whether batches of the stage hide checks at all. */
  hidesChecks: boolean;
}

/** Everything that the guided path looks at. */
export interface SetupFacts {
  state: string;
  images: { active: number; withoutClass: number };
  schema: { number: number; document: DatasetSchema };
  guides: number;
  gold: StageGold[];
  /** Somebody changed the policy; otherwise the preset holds. */
  policyChanged: boolean;
  crowd: { workers: number; invitations: number; recruitments: number };
}

type Counts = {
  active: number;
  withoutClass: number;
  guides: number;
  workers: number;
  invitations: number;
  recruitments: number;
};

/** Four statements. */
export async function readSetup(
  db: Db,
  project: { id: string; state: string; policy: Record<string, unknown> },
): Promise<SetupFacts> {
  const schema = await getVersion(db, project.id);
  const stages = await crowdStages(db, project);
  const counts = await countsOf(db, project.id, schema.document);
  const known = await goldByStage(db, project.id);
  return {
    state: project.state,
    images: { active: counts.active, withoutClass: counts.withoutClass },
    schema: { number: schema.number, document: schema.document },
    guides: counts.guides,
    gold: stages.map(({ id, name, kind, policy }) => {
      return {
        stageId: id,
        name,
        kind,
        ...(known.get(id) ?? { active: 0, candidates: 0, images: { check: 0, exam: 0, practice: 0 } }),
        needed: neededImages(policy, kind),
        hidesChecks: policy.checkRate > 0,
      };
    }),
    policyChanged: Object.keys(project.policy).length > 0,
    crowd: {
      workers: counts.workers,
      invitations: counts.invitations,
      recruitments: counts.recruitments,
    },
  };
}

async function countsOf(db: Db, projectId: string, schema: DatasetSchema): Promise<Counts> {
  const classes = schema.classes.map(({ id }) => id);
  const found = await db.execute<Counts>(sql`
    select
      (select count(*)::int from ${images} where project_id = ${projectId} and state = 'active') as active,
      (select count(*)::int from ${images} where project_id = ${projectId} and state = 'active'
        and (class_name is null or class_name <> all (${sql.param(classes)}::text[]))) as "withoutClass",
      (select count(distinct (stage_id, target))::int from ${guides} where project_id = ${projectId}) as guides,
      (select count(*)::int from ${memberships} where project_id = ${projectId} and role = 'worker') as workers,
      (select count(*)::int from ${invitations} where project_id = ${projectId} and 'worker' = any (roles)
        and revoked_at is null and used < seats and expires_at > now()) as invitations,
      (select count(*)::int from ${recruitments} where project_id = ${projectId} and state = 'open')
        as recruitments`);
  return found.rows[0] as Counts;
}

async function goldByStage(db: Db, projectId: string) {
  const found = await db.execute<{
    stageId: string;
    active: number;
    candidates: number;
    images: Record<GoldPool, number>;
  }>(sql`
    select i.stage_id as "stageId",
      (count(*) filter (where g.state = 'active'))::int as active,
      (count(*) filter (where g.state = 'candidate'))::int as candidates,
      jsonb_build_object(${sql.join(
        goldPools.map(
          (pool) => sql`${pool}::text,
            count(distinct i.image_id) filter (where g.state = 'active' and g.pool = ${pool})`,
        ),
        sql`, `,
      )}) as images
    from ${gold} g join ${items} i on i.id = g.item_id
    where g.project_id = ${projectId} group by 1`);
  return new Map(found.rows.map(({ stageId, ...counts }) => [stageId, counts]));
}
