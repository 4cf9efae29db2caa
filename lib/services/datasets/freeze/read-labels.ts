import { sql } from 'drizzle-orm';
import { type Db, tables } from '@/db';
import type { StageKind } from '@/db/schema';
import type {
  DatasetImage,
  LabelSource,
  MaskLabel,
  ObjectLabel,
  Provenance,
} from '@/lib/core/formats/dataset';
import { decodeCounts } from '@/lib/core/mask';
import type { AnswerValue } from '@/lib/core/quality/answer';
import { type DatasetSchema, MAX_INSTANCES, readTarget } from '@/lib/core/schema';
import type { FreezeMember } from './members';

const { items, labels, stages } = tables;

type Row = {
  imageId: string;
  kind: StageKind;
  target: string;
  /** Null for mask labels without instances and flags. */
  value: AnswerValue | null;
  mask: string | null;
  /** The numbers of the objects in `value.instances` of an outline; 1, 2, … if null. */
  numbers: number[] | null;
  source: LabelSource;
  confidence: number;
};

export type Labels = Pick<DatasetImage, 'attributes' | 'attributeMasks' | 'objects'>;

/** Reads the current labels of some images in one statement. */
export async function readLabels(
  db: Db,
  members: readonly FreezeMember[],
  schema: DatasetSchema,
): Promise<Map<string, Labels>> {
  const ids = members.map(({ imageId }) => imageId);
  const found = await db.execute<Row>(sql`
    select l.image_id as "imageId", s.kind, l.target, l.mask, l.source, l.confidence,
      case when l.mask is null then l.value
        when l.value ?| array['instances', 'flags']
        then jsonb_build_object('kind', 'mask', 'instances', l.value->'instances', 'flags', l.value->'flags')
      end as value,
      l.provenance->'objects' as numbers
    from ${labels} l join ${items} i on i.id = l.item_id join ${stages} s on s.id = i.stage_id
    where l.image_id = any(${sql.param(ids)}::uuid[]) and l.is_current and i.state <> 'withdrawn'
    order by s.position, l.target, l.id`);
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
  const objects = new Map<string, ObjectLabel>();
  const found: Labels = { attributes: null, attributeMasks: [], objects: [] };
  for (const row of rows) {
    const origin: Provenance = { source: row.source, confidence: row.confidence };
    if (row.value?.kind === 'attributes') {
      const present = Object.values(row.value.choices).flat();
      found.attributes = { present: present.filter((id) => attributeIds.has(id)).sort(), ...origin };
      continue;
    }
    if (row.kind !== 'part-mask' && row.kind !== 'object-mask') continue;
    const { id, instance, className } = readTarget(row.target);
    const maskOf = (counts: string) => decodeCounts(counts, member.height, member.width);
    const mask = row.mask === null ? null : maskOf(row.mask);
    const { instances, flags } = row.value?.kind === 'mask' ? row.value : {};
    const extra = {
      ...(flags && { flags }),
      ...(instances && { instances: instances.map(maskOf) }),
    };
    if (row.kind === 'part-mask' && attributeIds.has(id)) {
      if (mask) found.attributeMasks = withLabel(found.attributeMasks, { id, mask, ...origin, ...extra });
      continue;
    }
    if (row.kind === 'object-mask') {
      const masks = extra.instances ?? [mask];
      masks.forEach((one, i) => {
        const number = extra.instances ? (row.numbers?.[i] ?? i + 1) : instance;
        const object = objectOf(objects, number, className ?? member.className);
        object.outline = one && { mask: one, ...origin, ...(flags && { flags }) };
        // A region to ignore has no class; that of the image is not its own.
        if (instance > 1 && className === null && flags?.includes('crowd')) object.className = null;
      });
      continue;
    }
    const object = objectOf(objects, instance, className ?? member.className);
    if (!partIds.has(id)) continue;
    if (mask) object.parts = withLabel(object.parts, { id, mask, ...origin, ...extra });
    else object.absent = [...new Set([...object.absent, id])];
  }
  const things = [...objects.values()]
    .filter(({ outline, parts, absent }) => outline !== null || parts.length > 0 || absent.length > 0)
    .sort((a, b) => a.instance - b.instance || ((a.className ?? '') < (b.className ?? '') ? -1 : 1));
  found.objects = numbered(things);
  return found;
}

/** If two stages cover the same target, the later one wins. */
const withLabel = (labels: readonly MaskLabel[], label: MaskLabel): MaskLabel[] => [
  ...labels.filter(({ id }) => id !== label.id),
  label,
];

/**
 * Objects that got the same number from two imports stay separate. Stuff regions, whose number only says that they are
 * no objects, come behind the objects.
 */
function numbered(objects: readonly ObjectLabel[]): ObjectLabel[] {
  const taken = new Set<number>();
  return objects.map((object) => {
    let instance = object.instance > MAX_INSTANCES ? 1 + Math.max(0, ...taken) : object.instance;
    while (taken.has(instance)) instance += 1;
    taken.add(instance);
    return { ...object, instance };
  });
}

function objectOf(
  objects: Map<string, ObjectLabel>,
  instance: number,
  className: string | null,
): ObjectLabel {
  const key = `${instance}:${className ?? ''}`;
  const known = objects.get(key);
  if (known) return known;
  const made: ObjectLabel = { className, instance, outline: null, parts: [], absent: [] };
  objects.set(key, made);
  return made;
}
