import { eq, type SQL, sql } from 'drizzle-orm';
import { type Db, type Transaction, tables } from '@/db';
import { decodeCounts } from '@/lib/core/mask';
import type { AnswerValue, StageKind } from '@/lib/core/quality/answer';
import { groupBy } from '@/lib/core/quality/group-by';
import { isSameDrawing } from '@/lib/core/quality/instances';
import type { Policy } from '@/lib/core/quality/policy';
import { type Risk, riskOf } from '@/lib/core/quality/risk';
import { positivesOf, scoreCheck } from '@/lib/core/quality/score-check';
import { warningsAbout } from '@/lib/core/quality/warnings';
import { type DatasetSchema, localisedAttributes, readTarget } from '@/lib/core/schema';
import { readReliability, type StageTrust } from '@/lib/services/crowd/trust/read-reliability';
import { effectivePolicy } from '@/lib/services/crowd/work/effective-policy';
import {
  type Critic,
  loadCritic,
  loadPredictions,
  measureDisagreement,
} from '@/lib/services/inference/predictions';
import type { JobContext } from '@/lib/services/jobs/types';
import { type CountedAnswer, countedAnswers } from './counted-answers';

const { auditPicks, audits, labelRisks, labels, projects, schemaVersions, stages, images, items } = tables;

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
  /** By stage, the share of imported labels that closed sample audits found right. */
  imported: ReadonlyMap<string, number>;
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
    imported: await auditedImports(db, projectId),
    critic: await loadCritic(db, projectId),
  };
}

/** Fewer judgements than this say too little about imported labels. */
const MIN_JUDGED = 20;

/** Mean of the Beta posterior after Jeffreys' prior. Stages without an audited sample of imported labels are left out. */
async function auditedImports(db: Db, projectId: string): Promise<Map<string, number>> {
  const found = await db.execute<{ stageId: string; judged: number; right: number }>(sql`
    select i.stage_id as "stageId", count(*)::int as judged,
      (count(*) filter (where p.verdict = 'right'))::int as right
    from ${audits} a
    join ${auditPicks} p on p.audit_id = a.id and p.verdict is not null
    join ${labels} l on l.id = p.label_id and l.source = 'import'
    join ${items} i on i.id = l.item_id
    where a.project_id = ${projectId} and a.state = 'closed'
    group by i.stage_id having count(*) >= ${MIN_JUDGED}`);
  return new Map(found.rows.map(({ stageId, judged, right }) => [stageId, (right + 0.5) / (judged + 1)]));
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
  const said = await loadPredictions(tx, settings.critic, imageIds);
  return facts.map((label) => {
    const policy = settings.policies.get(label.stageId);
    if (!policy) throw new Error('A label has a stage.');
    const warnings = warningsAbout(suspectOf(label, byImage.get(label.imageId) ?? [], settings));
    const answers = (byItem.get(label.itemId) ?? []).map((answer) => ({
      accuracy: trusts.get(label.stageId)?.get(answer.workerId)?.accuracy ?? policy.trustPrior.accuracy,
      agreement: agreementOf(label, answer, policy),
    }));
    const confidence =
      label.source === 'import' ? (settings.imported.get(label.stageId) ?? null) : label.confidence;
    const bar = barOf(label.stageKind, policy);
    return {
      labelId: label.id,
      stageId: label.stageId,
      warnings,
      disagreement: measureDisagreement(label, said.get(label.imageId), settings.critic),
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
  if (mask !== null && isSameDrawing({ value, mask }, answer)) return 1;
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
    insert into ${labelRisks} (label_id, project_id, stage_id, risk, rank, agreement, disagreement, warnings)
    select new."labelId", ${projectId}::uuid, new."stageId", new.risk, new.rank, new.agreement, new.disagreement,
      array(select jsonb_array_elements_text(new.warnings))
    from jsonb_to_recordset(${JSON.stringify(rated)}::jsonb)
      as new("labelId" uuid, "stageId" uuid, risk real, rank real, agreement real, disagreement real, warnings jsonb)
    on conflict (label_id) do update set risk = excluded.risk, rank = excluded.rank, agreement = excluded.agreement,
      disagreement = excluded.disagreement, warnings = excluded.warnings, rated_at = now()
    where ${labelRisks}.reviewed_at is null`);

/** Labels that were replaced need no place in the queue. */
const forgetOld = (db: JobContext['db'], projectId: string) =>
  db.execute(sql`
    delete from ${labelRisks} r using ${labels} l
    where l.id = r.label_id and r.project_id = ${projectId} and r.reviewed_at is null and not l.is_current`);

type LabelFacts = {
  id: string;
  itemId: string;
  imageId: string;
  stageId: string;
  stageKind: StageKind;
  schemaVersionId: string;
  target: string;
  value: AnswerValue;
  mask: string | null;
  confidence: number;
  source: string;
  width: number;
  height: number;
};

type ToRate = { projectId: string; all: boolean };

/**
 * Labels that want a rating: current, not reviewed, and either never rated or of a picture on which another label
 * is new, for warnings look at the neighbours too.
 */
function wantsRating({ projectId, all }: ToRate): SQL {
  const isNew = sql`exists (
    select 1 from ${labels} n left join ${labelRisks} nr on nr.label_id = n.id
    where n.image_id = l.image_id and n.is_current and nr.label_id is null)`;
  return sql`l.project_id = ${projectId} and l.is_current and r.reviewed_at is null ${all ? sql`` : sql`and ${isNew}`}`;
}

async function labelsToRate(
  db: Db,
  want: ToRate & { after: string | null; limit: number },
): Promise<LabelFacts[]> {
  const found = await db.execute<LabelFacts>(sql`
    select l.id, l.item_id as "itemId", l.image_id as "imageId", i.stage_id as "stageId", s.kind as "stageKind",
      i.schema_version_id as "schemaVersionId", i.target, l.value, l.mask, l.confidence, l.source, p.width, p.height
    from ${labels} l
    join ${items} i on i.id = l.item_id
    join ${stages} s on s.id = i.stage_id
    join ${images} p on p.id = l.image_id
    left join ${labelRisks} r on r.label_id = l.id
    where ${wantsRating(want)} and (${want.after}::uuid is null or l.id > ${want.after}::uuid)
    order by l.id limit ${want.limit}`);
  return found.rows;
}

async function countToRate(db: Db, want: ToRate): Promise<number> {
  const found = await db.execute<{ n: number }>(sql`
    select count(*)::int as n from ${labels} l left join ${labelRisks} r on r.label_id = l.id
    where ${wantsRating(want)}`);
  return found.rows[0]?.n ?? 0;
}

type PictureMask = {
  imageId: string;
  kind: StageKind;
  target: string;
  isOpen: boolean;
  mask: string | null;
};

/** What is asked and drawn in pictures: their objects, and which parts have a mask or are still being asked for. */
async function drawnIn(db: Db, imageIds: readonly string[]): Promise<PictureMask[]> {
  const found = await db.execute<PictureMask>(sql`
    select i.image_id as "imageId", s.kind, i.target, i.state = 'open' as "isOpen",
      case when s.kind = 'object-mask' then l.mask when l.mask is not null then '' end as mask
    from ${items} i
    join ${stages} s on s.id = i.stage_id and s.kind in ('object-mask', 'part-mask')
    left join ${labels} l on l.item_id = i.id and l.is_current
    where i.image_id = any (${sql.param(imageIds)}::uuid[])`);
  return found.rows;
}
