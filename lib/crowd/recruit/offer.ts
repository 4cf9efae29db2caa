import { eq } from 'drizzle-orm';
import { type Db, tables } from '@/db';
import type { StageKind } from '@/db/schema';
import { notFound } from '@/lib/errors';
import { effectivePolicy } from '../work/effective-policy';
import { drawsMasks } from '../work/pay-for';

const { projects, stages } = tables;

export interface OfferedStage {
  name: string;
  kind: StageKind;
  /** Items of a batch, and what one batch pays in millionths. */
  items: number;
  payMicro: bigint;
  /** Items of the exam and what it pays; null where there is none. */
  exam: { items: number; payMicro: bigint } | null;
}

export interface Offer {
  name: string;
  slug: string;
  description: string;
  currency: string;
  hourlyTargetMicro: bigint;
  stages: OfferedStage[];
}

/** What a project asks and pays: what a person should know before they join. */
export async function offerOf(db: Db, projectId: string): Promise<Offer> {
  const [project] = await db.select().from(projects).where(eq(projects.id, projectId));
  if (!project) throw notFound('project');
  const asked = await db
    .select()
    .from(stages)
    .where(eq(stages.projectId, projectId))
    .orderBy(stages.position);
  const { pay } = effectivePolicy(project.policy, {});
  return {
    name: project.name,
    slug: project.slug,
    description: project.description,
    currency: pay.currency,
    hourlyTargetMicro: BigInt(pay.hourlyTarget),
    stages: asked
      .filter(({ kind }) => kind !== 'oracle')
      .map(({ name, kind, policy }) => offeredStage(name, kind, effectivePolicy(project.policy, policy))),
  };
}

function offeredStage(
  name: string,
  kind: StageKind,
  { batchSize, pay, maskExam, attributeExam }: ReturnType<typeof effectivePolicy>,
): OfferedStage {
  if (drawsMasks(kind)) {
    return {
      name,
      kind,
      items: batchSize.masks,
      payMicro: BigInt(pay.mask) * BigInt(batchSize.masks),
      exam: maskExam.isRequired ? { items: maskExam.masks, payMicro: BigInt(pay.maskExam) } : null,
    };
  }
  return {
    name,
    kind,
    items: batchSize.attributes,
    payMicro: BigInt(pay.attributeBatch),
    exam: attributeExam.isRequired
      ? { items: attributeExam.images, payMicro: BigInt(pay.attributeExam) }
      : null,
  };
}
