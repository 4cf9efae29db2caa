import { type SQL, sql } from 'drizzle-orm';
import { type Db, tables } from '@/db';
import type { AnswerValue } from '@/lib/core/quality/answer';
import { groupBy } from '@/lib/core/quality/group-by';
import type { LabelFlag } from '@/lib/core/schema';
import { isSetAside } from '@/lib/services/crowd/work/is-set-aside';

const { images, items, labelRisks, labels, stages } = tables;

/** What is read of a drawing besides its mask. */
interface DrawnFacts {
  instances?: string[];
  flags?: LabelFlag[];
}

export interface CurrentLabel {
  id: string;
  /** Of a mask without its shapes. */
  value: { kind: string; choices?: Record<string, string[]>; className?: string } & DrawnFacts;
  mask: string | null;
  source: 'answer' | 'consensus' | 'correction' | 'import' | 'generator';
  /** The consensus run that made it. */
  run: string | null;
  /** A curator has looked at it and left it as it is. */
  isAccepted: boolean;
}

export interface AnsweredItem {
  id: string;
  imageId: string;
  target: string;
  schemaVersionId: string;
  height: number;
  width: number;
  label: CurrentLabel | null;
  answers: CountingAnswer[];
}

/** Items that have all the answers they want, of these only those that two people answered, and no oracle's. */
export const hasSeveral: SQL = sql`i.state = 'settled' and i.answered > 1
  and (select s.asks = 'images' from ${stages} s where s.id = i.stage_id)`;

/** The value of an answer or label `name`, of a drawing only its kind, instances and flags. */
const valueWithoutShapes = (name: 'a' | 'l'): SQL => {
  const [value, mask] = [sql.raw(`${name}.value`), sql.raw(`${name}.mask`)];
  return sql`case when ${mask} is null then ${value} else jsonb_strip_nulls(jsonb_build_object('kind', 'mask',
    'instances', ${value}->'instances', 'flags', ${value}->'flags')) end`;
};

/** An order that is chance to everybody, and the same for the same seed. */
export const shuffled = (seed: string): SQL => sql`md5(i.id::text || ${seed})`;

interface Wanted {
  where: SQL;
  order: SQL;
  limit: number;
}

/** Items `i` with their image, current label and the answers that count. Two statements. */
export async function readItems(db: Db, { where, order, limit }: Wanted): Promise<AnsweredItem[]> {
  const found = await db.execute<Omit<AnsweredItem, 'answers'>>(sql`
    select i.id, i.image_id as "imageId", i.target, i.schema_version_id as "schemaVersionId",
      image.height, image.width,
      case when l.id is not null then jsonb_build_object('id', l.id, 'mask', l.mask, 'source', l.source,
        'run', l.provenance->'run', 'isAccepted', risk.reviewed_at is not null,
        'value', ${valueWithoutShapes('l')}) end as label
    from ${items} i join ${images} image on image.id = i.image_id
    left join ${labels} l on l.item_id = i.id and l.is_current
    left join ${labelRisks} risk on risk.label_id = l.id
    where ${where} order by ${order} limit ${limit}`);
  const given = groupBy(
    await countedAnswers(
      db,
      found.rows.map((row) => row.id),
    ),
    (answer) => answer.itemId,
  );
  return found.rows.map((row) => ({ ...row, answers: given.get(row.id) ?? [] }));
}

const { answers, batches, checks, leases } = tables;

type CountingAnswer = {
  id: string;
  itemId: string;
  workerId: string;
  /** Of a drawing without the shapes: they are many, and the masks say what they come to. */
  value: Exclude<AnswerValue, { kind: 'mask' }> | ({ kind: 'mask' } & DrawnFacts);
  mask: string | null;
};

/** Of an answer `a`, its lease `l` and its batch `b`: handed in and settled, of ordinary work, and not set aside. */
const counts: SQL = sql`b.state <> 'leased' and l.state <> 'late'
  and not exists (select 1 from ${checks} c where c.lease_id = l.id)
  and not ${isSetAside}`;

/** The answers to these items that count, in the order in which they came. One statement. */
async function countedAnswers(db: Db, itemIds: readonly string[]): Promise<CountingAnswer[]> {
  if (itemIds.length === 0) return [];
  const found = await db.execute<CountingAnswer>(sql`
    select a.id, a.item_id as "itemId", a.worker_id as "workerId", a.mask,
      ${valueWithoutShapes('a')} as value
    from ${answers} a join ${leases} l on l.id = a.lease_id join ${batches} b on b.id = l.batch_id
    where a.item_id = any (${sql.param(itemIds)}::uuid[]) and ${counts}
    order by a.created_at, a.id`);
  return found.rows;
}
