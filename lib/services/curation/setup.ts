import { sql } from 'drizzle-orm';
import { type Db, tables } from '@/db';
import { type GoldPool, goldPools, type StageKind } from '@/db/schema';
import { formatCount, formatNumber } from '@/lib/core/format';
import type { DatasetSchema } from '@/lib/core/schema';
import { neededImages } from '@/lib/services/crowd/gold';
import { crowdStages } from '@/lib/services/crowd/overview/crowd-stages';
import { getVersion } from '@/lib/services/projects/schema';
import type { SetupStepId } from './setup-step-ids';

/** `preset`: nobody chose, and what comes with the preset will do. */
export type StepState = 'done' | 'preset' | 'missing';

export interface SetupStep {
  id: SetupStepId;
  title: string;
  state: StepState;
  /** What is there. */
  done: string;
  /** What is not, and why it matters; null when nothing is missing. */
  missing: string | null;
  action: string;
  /** Below the project's own address. */
  path: string;
}

/** The guided path: everything it says follows from the data, so that it can be left and taken up at any place. */
export function setupSteps(facts: SetupFacts): SetupStep[] {
  return [
    imagesStep(facts),
    schemaStep(facts),
    instructionsStep(facts),
    goldStep(facts),
    policyStep(facts),
    inviteStep(facts),
  ];
}

/** What to do next: the first step that lacks something. */
export const nextStep = (steps: readonly SetupStep[]): SetupStep | undefined =>
  steps.find(({ state }) => state === 'missing');

function imagesStep({ images }: SetupFacts): SetupStep {
  const { active, withoutClass } = images;
  const lost = `${formatCount(withoutClass, 'image')} without a class of the schema: nobody is asked about their parts.`;
  return {
    id: 'images',
    title: 'Images',
    state: active === 0 ? 'missing' : 'done',
    done: active === 0 ? 'No images yet.' : `${formatCount(active, 'image')}.`,
    missing:
      active === 0
        ? 'Drop files, folders or a zip. The class comes from the folder, a CSV or a WordNet id.'
        : withoutClass > 0
          ? lost
          : null,
    action: active === 0 ? 'Add images' : 'Add more images',
    path: '/images/add',
  };
}

function schemaStep({ schema: { number, document } }: SetupFacts): SetupStep {
  const sizes = [
    formatCount(document.classes.length, 'class', 'classes'),
    document.attributes.length > 0 ? formatCount(document.attributes.length, 'attribute') : '',
    document.parts.length > 0 ? formatCount(document.parts.length, 'part') : '',
  ];
  return {
    id: 'schema',
    title: 'Schema',
    state: number > 1 ? 'done' : 'preset',
    done: `${document.name}, version ${number}: ${sizes.filter(Boolean).join(', ')}.`,
    missing: null,
    action: 'Edit the schema',
    path: '/schema/edit',
  };
}

function instructionsStep({ guides }: SetupFacts): SetupStep {
  return {
    id: 'instructions',
    title: 'Instructions',
    state: guides > 0 ? 'done' : 'preset',
    done:
      guides > 0
        ? `${formatCount(guides, 'text')} written by hand.`
        : 'Workers read the rules and definitions of the schema.',
    missing:
      guides > 0 ? null : 'Examples and borderline cases in your own words save most of the questions.',
    action: 'Write instructions',
    path: '/crowd/guide',
  };
}

function goldStep({ gold }: SetupFacts): SetupStep {
  const short = gold.filter(({ images, needed }) => goldPools.some((pool) => images[pool] < needed[pool]));
  const candidates = gold.reduce((sum, stage) => sum + stage.candidates, 0);
  const there = gold.reduce((sum, stage) => sum + stage.active, 0);
  const waiting = candidates > 0 ? ` ${formatCount(candidates, 'candidate')} to confirm.` : '';
  return {
    id: 'gold',
    title: 'Gold',
    state: short.length > 0 ? 'missing' : there > 0 ? 'done' : 'preset',
    done: `${there > 0 ? `${formatCount(there, 'gold item')} in use.` : 'No gold in use.'}${waiting}`,
    missing:
      short.length > 0
        ? `${short.map(missingGold).join('; ')}. Write or import more gold, or change exams and checks in the policy.`
        : there === 0
          ? 'There are no exams, and without gold no hidden checks either.'
          : null,
    action: there + candidates > 0 ? 'Open gold' : 'Write gold',
    path: '/gold',
  };
}

const poolNames: Record<GoldPool, string> = {
  check: 'hidden checks',
  exam: 'the exam',
  practice: 'practice',
};

function missingGold({ name, images, needed }: StageGold): string {
  const missing = goldPools
    .filter((pool) => images[pool] < needed[pool])
    .map(
      (pool) =>
        `${formatNumber(images[pool])} of ${formatCount(needed[pool], 'image')} for ${poolNames[pool]}`,
    );
  return `${name}: ${missing.join(', ')}`;
}

function policyStep({ policyChanged }: SetupFacts): SetupStep {
  return {
    id: 'policy',
    title: 'Policy',
    state: policyChanged ? 'done' : 'preset',
    done: policyChanged ? 'Using your own values.' : 'Using preset values for exams, checks and pay.',
    missing: null,
    action: 'Look at the policy',
    path: '/crowd/policy',
  };
}

function inviteStep({ crowd: { workers, invitations, recruitments } }: SetupFacts): SetupStep {
  const there = [
    workers > 0 ? formatCount(workers, 'worker') : '',
    invitations > 0 ? formatCount(invitations, 'open invitation') : '',
    recruitments > 0 ? formatCount(recruitments, 'open study', 'open studies') : '',
  ].filter(Boolean);
  return {
    id: 'invite',
    title: 'Invite',
    state: there.length > 0 ? 'done' : 'missing',
    done: there.length > 0 ? `${there.join(', ')}.` : 'No invitations yet.',
    missing: there.length > 0 ? null : 'Send a link to people you know, or open a study at a marketplace.',
    action: there.length > 0 ? 'Invite more people' : 'Invite people',
    path: '/crowd/invite',
  };
}

const { gold, guides, images, invitations, items, memberships, recruitments } = tables;

interface StageGold {
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
interface SetupFacts {
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
