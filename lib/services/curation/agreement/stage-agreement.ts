import { sql } from 'drizzle-orm';
import { type Db, tables } from '@/db';
import type { StageKind } from '@/db/schema';
import type { DatasetSchema } from '@/lib/core/schema';
import { drawsMasks } from '@/lib/services/crowd/work/pay-for';
import { signBlobUrl } from '@/lib/services/storage';
import { type AnsweredItem, readItems, shuffled } from '../consensus/read-items';
import {
  type ComparedItem,
  compareDrawings,
  type DrawingRow,
  disagreementOf,
  drawingAgreement,
  rowOf,
} from './drawing-agreement';
import { type Dispute, disputesOf, type FormRow, formAgreement, split } from './form-agreement';

const { items, derivatives, images, stages } = tables;

/** Items that are looked at: more say the same with a narrower interval, and a page must not wait for them. */
const FORMS = 2000;
const DRAWINGS = 300;
const WORST = 12;
/** One for all: whoever looks again sees the same sample, until items are added. */
const SEED = 'agreement';

interface Sampled {
  /** Items with two answers or more, and how many of them were looked at. */
  population: number;
  sampled: number;
}

export type StageAgreement = Sampled &
  (
    | { kind: 'forms'; rows: FormRow[]; worst: { item: AnsweredItem; disputes: Dispute[] }[] }
    | { kind: 'drawings'; all: DrawingRow; rows: DrawingRow[]; worst: ComparedItem[] }
  );

/** How far the people who answered the same items of a stage agree. Three statements, whatever its size. */
export async function stageAgreement(
  db: Db,
  stage: { id: string; kind: StageKind },
  schema: DatasetSchema | null,
): Promise<StageAgreement> {
  const where = sql`i.stage_id = ${stage.id} and i.answered > 1`;
  const isDrawn = drawsMasks(stage.kind);
  const [counted, sample] = await Promise.all([
    db.execute<{ n: number }>(sql`select count(*)::int as n from ${items} i where ${where}`),
    readItems(db, { where, order: shuffled(SEED), limit: isDrawn ? DRAWINGS : FORMS }),
  ]);
  const several = sample.filter((item) => item.answers.length > 1);
  const size = { population: counted.rows[0]?.n ?? 0, sampled: several.length };
  if (isDrawn) return { ...size, ...ofDrawings(several) };
  const options = stage.kind === 'oracle' ? schema?.classes : schema?.attributes;
  return {
    ...size,
    ...ofForms(
      several,
      (options ?? []).map(({ id }) => id),
    ),
  };
}

function ofForms(list: readonly AnsweredItem[], options: readonly string[]) {
  const weigh = (disputes: readonly Dispute[]) => disputes.reduce((sum, each) => sum + split(each), 0);
  const worst = list
    .map((item) => ({ item, disputes: disputesOf(item) }))
    .filter(({ disputes }) => disputes.length > 0)
    .sort((a, b) => weigh(b.disputes) - weigh(a.disputes))
    .slice(0, WORST);
  return { kind: 'forms' as const, rows: formAgreement(list, options), worst };
}

function ofDrawings(list: readonly AnsweredItem[]) {
  const compared = list.map(compareDrawings);
  const worst = compared
    .filter((each) => disagreementOf(each) > 0)
    .sort((a, b) => disagreementOf(b) - disagreementOf(a))
    .slice(0, WORST);
  return {
    kind: 'drawings' as const,
    all: rowOf('', compared),
    rows: drawingAgreement(compared),
    worst,
  };
}

export interface Picture {
  name: string;
  url: string;
}

/** Name and file of each of these images, by id; the whole picture where the derivative is not made yet. */
export async function picturesOf(
  db: Db,
  imageIds: readonly string[],
  kind: 'thumbnail' | 'working' = 'thumbnail',
): Promise<Map<string, Picture>> {
  if (imageIds.length === 0) return new Map();
  const found = await db.execute<{ id: string; name: string; blob: string }>(sql`
    select image.id, image.name, coalesce(d.blob, image.blob) as blob
    from ${images} image left join ${derivatives} d on d.image_id = image.id and d.kind = ${kind}
    where image.id = any (${sql.param([...new Set(imageIds)])}::uuid[])`);
  return new Map(found.rows.map(({ id, name, blob }) => [id, { name, url: signBlobUrl(blob) }]));
}

export type AnsweredStage = {
  id: string;
  name: string;
  kind: StageKind;
  /** Items that two people or more have answered. */
  several: number;
  /** Of these, the middle number of answers; null where there are none. */
  overlap: number | null;
};

/** The stages of a project with how many of their items have several answers. One statement. */
export async function stagesWithAnswers(db: Db, projectId: string): Promise<AnsweredStage[]> {
  const found = await db.execute<AnsweredStage>(sql`
    select s.id, s.name, s.kind, count(i.id)::int as several,
      percentile_disc(0.5) within group (order by i.answered) as overlap
    from ${stages} s left join ${items} i on i.stage_id = s.id and i.answered > 1
    where s.project_id = ${projectId} group by s.id order by s.position`);
  return found.rows;
}
