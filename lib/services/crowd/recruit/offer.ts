import { eq } from 'drizzle-orm';
import { type Db, tables } from '@/db';
import type { StageKind } from '@/db/schema';
import { notFound } from '@/lib/core/errors';
import { effectivePolicy } from '../work/effective-policy';
import { drawsMasks } from '../work/pay-for';
import { type StageTerms, termsOf } from '../worker/terms';

const { projects, stages } = tables;

export interface OfferedStage {
  id: string;
  name: string;
  kind: StageKind;
  /** Items of a batch, and what one batch pays in millionths. */
  items: number;
  payMicro: bigint;
  /** Items of the exam and what it pays; null where there is none. */
  exam: { items: number; payMicro: bigint } | null;
  terms: StageTerms | null;
}

export interface Offer {
  name: string;
  slug: string;
  description: string;
  currency: string;
  hourlyTargetMicro: bigint;
  /** How and when the project pays, in the curator's words. */
  payTerms: string;
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
  const priced = asked
    .filter(({ kind }) => kind !== 'oracle')
    .map((stage) => ({ ...stage, policy: effectivePolicy(project.policy, stage.policy) }));
  const terms = await termsOf(db, null, priced);
  return {
    name: project.name,
    slug: project.slug,
    description: project.description,
    currency: pay.currency,
    hourlyTargetMicro: BigInt(pay.hourlyTarget),
    payTerms: pay.terms,
    stages: priced.map(({ id, name, kind, policy }) => ({
      id,
      ...offeredStage(name, kind, policy),
      terms: terms.get(id) ?? null,
    })),
  };
}

function offeredStage(
  name: string,
  kind: StageKind,
  { batchSize, pay, maskExam, attributeExam }: ReturnType<typeof effectivePolicy>,
): Omit<OfferedStage, 'id' | 'terms'> {
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
