import { eq, sql } from 'drizzle-orm';
import { z } from 'zod';
import { type Db, tables } from '@/db';
import { CrowdFacts } from '@/lib/core/croissant';
import { type DatasetImage, instanceMasks } from '@/lib/core/formats/dataset';
import { type DatasetSchema, labelFlags } from '@/lib/core/schema';
import { regionKind } from '@/lib/core/statistics';
import { stageAgreement, stagesWithAnswers } from '@/lib/services/curation/agreement/stage-agreement';
import { listAudits } from '@/lib/services/curation/audit/samples';
import { crowdFactsOf } from './crowd-facts';

const { answers, items, projects, stages } = tables;

const Estimate = z.object({ value: z.number(), n: z.number().int(), low: z.number(), high: z.number() });

/** The dataset card, modelled on "Datasheets for Datasets". It names no people. */
export const Card = z.object({
  counts: z.object({
    images: z.number().int(),
    labelled: z.number().int(),
    forms: z.number().int(),
    outlines: z.number().int(),
    masks: z.number().int(),
    objects: z.number().int(),
    /** Masks of parts and attributes, counting every instance. Cards of older versions have none of these. */
    instances: z.number().int().optional(),
    stuffRegions: z.number().int().optional(),
    crowdRegions: z.number().int().optional(),
    /** Labels with each flag. */
    flags: z.partialRecord(z.enum(labelFlags), z.number().int()).optional(),
    bySplit: z.record(z.string(), z.number().int()),
    byClass: z.record(z.string(), z.record(z.string(), z.number().int())),
    bySource: z.record(z.string(), z.number().int()),
  }),
  collection: z.object({
    project: z.string(),
    description: z.string(),
    stages: z.array(
      z.object({
        name: z.string(),
        kind: z.string(),
        items: z.number().int(),
        answers: z.number().int(),
        people: z.number().int(),
        /** Inter-annotator agreement on items with several answers, with the name of the measure. */
        agreement: z.union([
          z.object({ measure: z.string(), ...Estimate.shape }),
          z.object({ measure: z.string(), value: z.null(), n: z.number().int(), reason: z.string() }),
        ]),
      }),
    ),
  }),
  /** The work of the crowd; missing in cards of older versions. */
  crowd: CrowdFacts.nullable().optional(),
  /** Latest sampled audits: estimated error rate with its interval. */
  audits: z.array(
    z.object({
      stage: z.string().nullable(),
      judged: z.number().int(),
      population: z.number().int(),
      confidence: z.number(),
      rate: Estimate.omit({ n: true }).nullable(),
      at: z.string(),
    }),
  ),
  split: z.object({ spec: z.record(z.string(), z.unknown()), leaks: z.number().int() }),
  licence: z.string(),
  consent: z.number().int().nullable(),
  schema: z.object({ name: z.string(), number: z.number().int(), citation: z.string().nullable() }),
  notes: z.array(z.string()),
});

export type Card = z.infer<typeof Card>;

/** Summarizes how the labels were collected. Runs nine statements plus three per stage. */
export async function collectionOf(
  db: Db,
  projectId: string,
  schema: DatasetSchema,
): Promise<Pick<Card, 'collection' | 'crowd' | 'audits'>> {
  const [project] = await db
    .select({ name: projects.name, description: projects.description })
    .from(projects)
    .where(eq(projects.id, projectId));
  const worked = await db.execute<{ id: string; items: number; answers: number; people: number }>(sql`
    select s.id, count(distinct i.id)::int as items, count(a.id)::int as answers,
      count(distinct a.worker_id)::int as people
    from ${stages} s left join ${items} i on i.stage_id = s.id left join ${answers} a on a.item_id = i.id
    where s.project_id = ${projectId} group by s.id`);
  const told: Card['collection']['stages'] = [];
  for (const stage of await stagesWithAnswers(db, projectId)) {
    const row = worked.rows.find(({ id }) => id === stage.id);
    if (!row || row.items === 0) continue;
    const agreement = await agreementOf(db, stage, schema);
    const { items: asked, answers: given, people } = row;
    told.push({ name: stage.name, kind: stage.kind, items: asked, answers: given, people, agreement });
  }
  const audits = (await listAudits(db, projectId, 5)).map((audit) => ({
    stage: audit.stage,
    judged: audit.judged,
    population: audit.population,
    confidence: audit.confidence,
    rate: audit.rate && { value: audit.rate.value, low: audit.rate.low, high: audit.rate.high },
    at: audit.at.toISOString(),
  }));
  return {
    collection: { project: project?.name ?? '', description: project?.description ?? '', stages: told },
    crowd: await crowdFactsOf(db, projectId),
    audits,
  };
}

type Agreement = Card['collection']['stages'][number]['agreement'];

async function agreementOf(
  db: Db,
  stage: Parameters<typeof stageAgreement>[1],
  schema: DatasetSchema,
): Promise<Agreement> {
  const found = await stageAgreement(db, stage, schema);
  if (found.kind === 'drawings') return { measure: 'mean pairwise IoU', ...found.all.iou };
  const defined = found.rows.flatMap(({ alpha }) => (alpha.value === null ? [] : [alpha]));
  if (defined.length === 0)
    return {
      measure: 'Krippendorff alpha',
      value: null,
      n: found.sampled,
      reason: 'no attribute was answered twice with both outcomes',
    };
  const mean = (pick: (alpha: (typeof defined)[number]) => number) =>
    defined.reduce((sum, alpha) => sum + pick(alpha), 0) / defined.length;
  return {
    measure: `mean Krippendorff alpha of ${defined.length} attributes`,
    value: mean((alpha) => alpha.value),
    n: found.sampled,
    low: mean((alpha) => alpha.low),
    high: mean((alpha) => alpha.high),
  };
}

/** Creates counters without a prototype, because any word can be a key. */
const empty = () => Object.create(null);

/** Counts the content of a version image by image. */
export class VersionTally {
  readonly counts: Card['counts'] = {
    images: 0,
    labelled: 0,
    forms: 0,
    outlines: 0,
    masks: 0,
    objects: 0,
    bySplit: empty(),
    byClass: empty(),
    bySource: empty(),
  };

  constructor(
    splits: readonly string[],
    private readonly schema: Pick<DatasetSchema, 'classes'>,
  ) {
    for (const split of splits) this.counts.bySplit[split] = 0;
  }

  add(image: DatasetImage): void {
    const { counts } = this;
    const className = image.className ?? '';
    counts.images += 1;
    counts.bySplit[image.split] = (counts.bySplit[image.split] ?? 0) + 1;
    const row = counts.byClass[className] ?? empty();
    counts.byClass[className] = row;
    row[image.split] = (row[image.split] ?? 0) + 1;
    if (image.attributes || image.attributeMasks.length > 0 || image.objects.length > 0) counts.labelled += 1;
    if (image.attributes) counts.forms += 1;
    const outlines = image.objects.flatMap(({ outline }) => (outline ? [outline] : []));
    const masks = [...image.attributeMasks, ...image.objects.flatMap(({ parts }) => parts)];
    for (const object of image.objects) {
      const kind = regionKind(object, this.schema);
      if (kind === 'object') counts.objects += 1;
      else if (kind === 'stuff') counts.stuffRegions = (counts.stuffRegions ?? 0) + 1;
      else counts.crowdRegions = (counts.crowdRegions ?? 0) + 1;
    }
    counts.outlines += outlines.length;
    counts.masks += masks.length;
    for (const label of masks) counts.instances = (counts.instances ?? 0) + instanceMasks(label).length;
    for (const flag of [...outlines, ...masks].flatMap(({ flags }) => flags ?? []))
      counts.flags = { ...counts.flags, [flag]: (counts.flags?.[flag] ?? 0) + 1 };
    for (const { source } of [...(image.attributes ? [image.attributes] : []), ...outlines, ...masks])
      counts.bySource[source] = (counts.bySource[source] ?? 0) + 1;
  }

  get labels(): number {
    return this.counts.forms + this.counts.outlines + this.counts.masks;
  }
}
