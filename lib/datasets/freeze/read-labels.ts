import { sql } from 'drizzle-orm';
import { type Db, tables } from '@/db';
import type { StageKind } from '@/db/schema';
import type { DatasetImage, LabelSource, MaskLabel, ObjectLabel, Provenance } from '@/lib/formats/dataset';
import { decodeCounts } from '@/lib/mask';
import type { AnswerValue } from '@/lib/quality/answer';
import { type DatasetSchema, readTarget } from '@/lib/schema';
import type { FreezeMember } from './members';

const { items, labels, stages } = tables;

type Row = {
  imageId: string;
  kind: StageKind;
  target: string;
  value: AnswerValue;
  mask: string | null;
  source: LabelSource;
  confidence: number;
};

export type Labels = Pick<DatasetImage, 'attributes' | 'attributeMasks' | 'objects'>;

/** The labels that count, of some images. One statement. */
export async function readLabels(
  db: Db,
  members: readonly FreezeMember[],
  schema: DatasetSchema,
): Promise<Map<string, Labels>> {
  const ids = members.map(({ imageId }) => imageId);
  const found = await db.execute<Row>(sql`
    select l.image_id as "imageId", s.kind, l.target, l.value, l.mask, l.source, l.confidence
    from ${labels} l join ${items} i on i.id = l.item_id join ${stages} s on s.id = i.stage_id
    where l.image_id = any(${sql.param(ids)}::uuid[]) and l.is_current and i.state <> 'withdrawn'`);
  const byImage = new Map<string, Row[]>();
  for (const row of found.rows) {
    const list = byImage.get(row.imageId);
    if (list) list.push(row);
    else byImage.set(row.imageId, [row]);
  }
  return new Map(
    members.map((member) => [member.imageId, joined(member, byImage.get(member.imageId) ?? [], schema)]),
  );
}

function joined(member: FreezeMember, rows: readonly Row[], schema: DatasetSchema): Labels {
  const attributeIds = new Set(schema.attributes.map(({ id }) => id));
  const partIds = new Set(schema.parts.map(({ id }) => id));
  const objects = new Map<number, ObjectLabel>();
  const found: Labels = { attributes: null, attributeMasks: [], objects: [] };
  for (const row of rows) {
    const origin: Provenance = { source: row.source, confidence: row.confidence };
    if (row.value.kind === 'attributes') {
      const present = Object.values(row.value.choices).flat();
      found.attributes = { present: present.filter((id) => attributeIds.has(id)).sort(), ...origin };
      continue;
    }
    if (row.kind !== 'part-mask' && row.kind !== 'object-mask') continue;
    const { id, instance, className } = readTarget(row.target);
    const mask = row.mask === null ? null : decodeCounts(row.mask, member.height, member.width);
    if (row.kind === 'part-mask' && attributeIds.has(id)) {
      if (mask) found.attributeMasks.push({ id, mask, ...origin } satisfies MaskLabel);
      continue;
    }
    const object = objectOf(objects, instance, className ?? member.className);
    if (row.kind === 'object-mask') object.outline = mask && { mask, ...origin };
    else if (!partIds.has(id)) continue;
    else if (mask) object.parts.push({ id, mask, ...origin });
    else object.absent.push(id);
  }
  found.objects = [...objects.values()]
    .filter(({ outline, parts, absent }) => outline !== null || parts.length > 0 || absent.length > 0)
    .sort((a, b) => a.instance - b.instance);
  return found;
}

function objectOf(
  objects: Map<number, ObjectLabel>,
  instance: number,
  className: string | null,
): ObjectLabel {
  const known = objects.get(instance);
  if (known) return known;
  const made: ObjectLabel = { className, instance, outline: null, parts: [], absent: [] };
  objects.set(instance, made);
  return made;
}
