import { eq, sql } from 'drizzle-orm';
import { type Transaction, tables } from '@/db';
import { decodeCounts } from '@/lib/core/mask';
import { groupBy } from '@/lib/core/quality/group-by';
import type { Policy } from '@/lib/core/quality/policy';
import { type Risk, riskOf } from '@/lib/core/quality/risk';
import { positivesOf, scoreCheck } from '@/lib/core/quality/score-check';
import type { StageKind } from '@/lib/core/quality/stage-kind';
import { warningsAbout } from '@/lib/core/quality/warnings';
import { type DatasetSchema, localisedAttributes, readTarget } from '@/lib/core/schema';
import { readReliability, type StageTrust } from '@/lib/services/crowd/trust/read-reliability';
import { effectivePolicy } from '@/lib/services/crowd/work/effective-policy';
import { type Critic, criticOf, disagreementOf, saidAbout } from '@/lib/services/inference/predictions';
import type { JobContext } from '@/lib/services/jobs/types';
import { type CountedAnswer, countedAnswers } from './counted-answers';
import {
  countToRate,
  drawnIn,
  type LabelFacts,
  labelsToRate,
  type PictureMask,
  type ToRate,
} from './label-facts';

const { labelRisks, labels, projects, schemaVersions, stages } = tables;

/** Labels per transaction: small enough for a quick cancel, large enough that statements are few. */
const PAGE = 250;

type Rated = Risk & { labelId: string; stageId: string; warnings: string[]; disagreement: number | null };

/** Rates the labels of a project that want it: a fixed number of statements for each page of labels. */
export async function rateLabels(context: JobContext, want: ToRate): Promise<{ rated: number }> {
  const { db } = context;
  const settings = await readSettings(db, want.projectId);
  const total = await countToRate(db, want);
  let rated = 0;
  let after: string | null = null;
  for (;;) {
    context.signal.throwIfAborted();
    const page: string[] = await db.transaction(async (tx) => {
      const facts = await labelsToRate(tx, { ...want, after, limit: PAGE });
      if (facts.length > 0) await write(tx, want.projectId, await rate(tx, facts, settings));
      return facts.map((label) => label.id);
    });
    rated += page.length;
    after = page.at(-1) ?? null;
    await context.progress(Math.min(rated, total), total, 'labels');
    if (page.length < PAGE) break;
  }
  await forgetOld(db, want.projectId);
  return { rated };
}

type Settings = {
  policies: Map<string, Policy>;
  schemas: Map<string, DatasetSchema>;
  hasParts: boolean;
  /** Says how far it is from a label, beside the risk: it is not calibrated, and was taught by labels like these. */
  critic: Critic | null;
};

async function readSettings(db: JobContext['db'], projectId: string): Promise<Settings> {
  const rows = await db
    .select({ id: stages.id, kind: stages.kind, own: stages.policy, common: projects.policy })
    .from(stages)
    .innerJoin(projects, eq(projects.id, stages.projectId))
    .where(eq(stages.projectId, projectId));
  const versions = await db
    .select({ id: schemaVersions.id, document: schemaVersions.document })
    .from(schemaVersions)
    .where(eq(schemaVersions.projectId, projectId));
  return {
    policies: new Map(rows.map(({ id, own, common }) => [id, effectivePolicy(common, own)])),
    schemas: new Map(versions.map(({ id, document }) => [id, document])),
    hasParts: rows.some(({ kind }) => kind === 'part-mask'),
    critic: await criticOf(db, projectId),
  };
}

async function rate(tx: Transaction, facts: readonly LabelFacts[], settings: Settings): Promise<Rated[]> {
  const itemIds = facts.map((label) => label.itemId);
  const byItem = groupBy(await countedAnswers(tx, itemIds), (answer) => answer.itemId);
  const trusts = new Map<string, StageTrust['workers']>();
  for (const [stageId, list] of groupBy(facts, (label) => label.stageId)) {
    const workers = list.flatMap((label) =>
      (byItem.get(label.itemId) ?? []).map((answer) => answer.workerId),
    );
    const policy = settings.policies.get(stageId);
    if (!policy) throw new Error('A label has a stage.');
    trusts.set(stageId, (await readReliability(tx, { stageId, policy }, [...new Set(workers)])).workers);
  }
  const imageIds = [...new Set(facts.map((label) => label.imageId))];
  const byImage = groupBy(await drawnIn(tx, imageIds), (row) => row.imageId);
  const said = await saidAbout(tx, settings.critic, imageIds);
  return facts.map((label) => {
    const policy = settings.policies.get(label.stageId);
    if (!policy) throw new Error('A label has a stage.');
    const warnings = warningsAbout(suspectOf(label, byImage.get(label.imageId) ?? [], settings));
    const answers = (byItem.get(label.itemId) ?? []).map((answer) => ({
      accuracy: trusts.get(label.stageId)?.get(answer.workerId)?.accuracy ?? policy.trustPrior.accuracy,
      agreement: agreementOf(label, answer, policy),
    }));
    const { confidence } = label;
    const bar = barOf(label.stageKind, policy);
    return {
      labelId: label.id,
      stageId: label.stageId,
      warnings,
      disagreement: disagreementOf(label, said.get(label.imageId), settings.critic),
      ...riskOf({ answers, confidence, bar, warnings }),
    };
  });
}

/** A form that matches at this level is the same but for a slip; a class is the same or is not. */
function barOf(stageKind: StageKind, policy: Policy): number {
  if (stageKind === 'attributes')
    return Math.min(policy.attributeExam.minPrecision, policy.attributeExam.minRecall);
  return stageKind === 'oracle' ? 1 : policy.maskExam.minMeanIou;
}

export function agreementOf(
  {
    stageKind,
    value,
    mask,
    height,
    width,
  }: Pick<LabelFacts, 'stageKind' | 'value' | 'mask' | 'height' | 'width'>,
  answer: Pick<CountedAnswer, 'value' | 'mask'>,
  policy: Policy,
): number {
  if (mask !== null && answer.mask === mask) return 1;
  const scored = scoreCheck({ stageKind, answer, gold: { value, mask }, height, width, policy });
  return scored.score.level ?? 0;
}

function suspectOf(label: LabelFacts, drawn: readonly PictureMask[], { schemas, hasParts }: Settings) {
  const read = (counts: string | null | undefined) =>
    counts ? decodeCounts(counts, label.height, label.width) : null;
  const schema = schemas.get(label.schemaVersionId);
  const known = new Set(
    drawn
      .filter((row) => row.kind === 'part-mask' && (row.isOpen || row.mask !== null))
      .map((row) => row.target),
  );
  const localised = new Set(
    schema && hasParts ? localisedAttributes(schema).map((attribute) => attribute.id) : [],
  );
  return {
    stageKind: label.stageKind,
    mask: read(label.mask),
    shapes: label.value.kind === 'mask' ? label.value.shapes : [],
    object: label.stageKind === 'part-mask' ? read(objectOf(label, drawn)?.mask) : null,
    undrawn: positivesOf(label.value).filter((id) => localised.has(id) && !known.has(id)),
  };
}

/** A picture may show several objects: a part lies on its own. */
function objectOf(label: LabelFacts, drawn: readonly PictureMask[]): PictureMask | undefined {
  const { instance } = readTarget(label.target);
  return drawn.find((row) => row.kind === 'object-mask' && readTarget(row.target).instance === instance);
}

/** A label that somebody reviewed in the meantime stays reviewed. */
const write = (tx: Transaction, projectId: string, rated: readonly Rated[]) =>
  tx.execute(sql`
    insert into ${labelRisks} (label_id, project_id, stage_id, risk, agreement, disagreement, warnings)
    select new."labelId", ${projectId}::uuid, new."stageId", new.risk, new.agreement, new.disagreement,
      array(select jsonb_array_elements_text(new.warnings))
    from jsonb_to_recordset(${JSON.stringify(rated)}::jsonb)
      as new("labelId" uuid, "stageId" uuid, risk real, agreement real, disagreement real, warnings jsonb)
    on conflict (label_id) do update set risk = excluded.risk, agreement = excluded.agreement,
      disagreement = excluded.disagreement, warnings = excluded.warnings, rated_at = now()
    where ${labelRisks}.reviewed_at is null`);

/** Labels that were replaced need no place in the queue. */
const forgetOld = (db: JobContext['db'], projectId: string) =>
  db.execute(sql`
    delete from ${labelRisks} r using ${labels} l
    where l.id = r.label_id and r.project_id = ${projectId} and r.reviewed_at is null and not l.is_current`);
