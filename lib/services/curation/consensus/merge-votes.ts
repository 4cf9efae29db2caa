import { sql } from 'drizzle-orm';
import { type Db, tables } from '@/db';
import { type Aggregator, bestClass, indexVotes, noTruth, type Vote } from '@/lib/core/quality/aggregate';
import type { AnswerValue } from '@/lib/core/quality/answer';
import { type DatasetSchema, NONE } from '@/lib/core/schema';
import type { Merged } from './merger';
import { type AnsweredItem, hasSeveral, readItems, shuffled } from './read-items';

/** Answers beside those to be merged, from which a method learns whom to believe. */
export interface Anchor {
  votes: readonly (Vote & { itemId: string })[];
  /** By the name of the question: what is known for certain. */
  truth: ReadonlyMap<string, string>;
}

export const noAnchor: Anchor = { votes: [], truth: new Map() };

const YES = 'yes';
const NO = 'no';

/** Every attribute of a form is a question by itself, so that a worker's care shows in all of them. */
export function votesIn(
  itemId: string,
  answer: { workerId: string; value: AnsweredItem['answers'][number]['value'] },
  schema: DatasetSchema,
): (Vote & { itemId: string })[] {
  const { value, workerId: worker } = answer;
  if (value.kind === 'class') return [{ itemId, item: itemId, worker, value: value.className }];
  if (value.kind !== 'attributes') return [];
  const marked = new Set(Object.values(value.choices).flat());
  return schema.attributes.map(({ id }) => ({
    itemId,
    item: nameOf(itemId, id),
    worker,
    value: marked.has(id) ? YES : NO,
  }));
}

const nameOf = (itemId: string, attribute: string) => `${itemId} ${attribute}`;

interface Merging {
  items: readonly AnsweredItem[];
  schemaOf: (item: AnsweredItem) => DatasetSchema;
  aggregator: Aggregator;
  anchor: Anchor;
}

/** What forms and classes come to, by item. An item without an answer of these kinds is left out. */
export function mergeVotes({ items, schemaOf, aggregator, anchor }: Merging): Map<string, Merged> {
  const own = new Set(items.map((item) => item.id));
  const asked = items.flatMap((item) =>
    item.answers.flatMap((answer) => votesIn(item.id, answer, schemaOf(item))),
  );
  const beside = anchor.votes.filter((vote) => !own.has(vote.itemId));
  const isForm = items.some((item) => item.answers.some(({ value }) => value.kind === 'attributes'));
  const votes = indexVotes([...asked, ...beside], isForm ? [NO, YES] : []);
  const truth = noTruth(votes).map((_, n) =>
    votes.classes.indexOf(anchor.truth.get(votes.items[n] as string) ?? ''),
  );
  const result = aggregator.aggregate(votes, truth);
  const place = new Map(votes.items.map((name, n) => [name, n]));
  const look = (name: string) => {
    const at = place.get(name);
    if (at === undefined) return null;
    const { best, confidence, isTie } = bestClass(result, votes.classes.length, at);
    return { value: votes.classes[best] as string, confidence, isTie };
  };
  return new Map(
    items.flatMap((item): [string, Merged][] => {
      const merged = isForm ? formOf(item, schemaOf(item), look) : classOf(item, look(item.id));
      return merged ? [[item.id, merged]] : [];
    }),
  );
}

type Found = { value: string; confidence: number; isTie: boolean } | null;

function classOf({ label }: AnsweredItem, found: Found): Merged | null {
  if (!found) return null;
  const kept = found.isTie && label?.value.kind === 'class' ? label.value.className : undefined;
  return {
    value: { kind: 'class', className: kept ?? found.value },
    mask: null,
    area: null,
    confidence: found.confidence,
    ties: found.isTie ? 1 : 0,
  };
}

/** The form is as sure as its least sure attribute, of those that anybody marked; of an empty one, of all. */
function formOf(item: AnsweredItem, schema: DatasetSchema, look: (name: string) => Found): Merged | null {
  const current = new Set(Object.values(item.label?.value.choices ?? {}).flat());
  const marked = new Set(
    item.answers.flatMap(({ value }) =>
      value.kind === 'attributes' ? Object.values(value.choices).flat() : [],
    ),
  );
  const looked = schema.attributes.flatMap(({ id }) => {
    const found = look(nameOf(item.id, id));
    return found ? [{ id, ...found }] : [];
  });
  if (looked.length === 0) return null;
  const chance = new Map(
    looked.map(({ id, value, confidence, isTie }) => {
      if (isTie) return [id, current.has(id) ? 0.5 + Number.EPSILON : 0.5 - Number.EPSILON];
      return [id, value === YES ? confidence : 1 - confidence];
    }),
  );
  const asked = looked.filter(({ id }) => marked.has(id));
  return {
    value: { kind: 'attributes', choices: chooseWithin(schema, chance) },
    mask: null,
    area: null,
    confidence: Math.min(1, ...(asked.length > 0 ? asked : looked).map(({ confidence }) => confidence)),
    ties: looked.filter(({ isTie }) => isTie).length,
  };
}

/**
 * The likely attributes of each group, the most likely first where the form allows fewer, the next likely where it
 * wants more: a consensus is never a form that nobody could have handed in.
 */
function chooseWithin(schema: DatasetSchema, chance: ReadonlyMap<string, number>): Record<string, string[]> {
  return Object.fromEntries(
    schema.attributeGroups.map((group) => {
      const ranked = group.attributes.map((id) => ({ id, p: chance.get(id) ?? 0 })).sort((a, b) => b.p - a.p);
      const likely = ranked.filter(({ p }) => p > 0.5).length;
      if (likely === 0 && group.exclusiveNone) return [group.id, [NONE]];
      const wanted = Math.min(group.max, Math.max(group.min, likely));
      const chosen = new Set(ranked.slice(0, wanted).map(({ id }) => id));
      return [group.id, group.attributes.filter((id) => chosen.has(id))];
    }),
  );
}

const { answers, batches, checks, gold, items, leases } = tables;

/** Bounds of what is read beside the items in hand: enough to know a few dozen workers, little to hold. */
const GOLD_ANSWERS = 1000;
const SAMPLE = 200;

type GoldRow = {
  itemId: string;
  schemaVersionId: string;
  workerId: string;
  value: AnswerValue;
  truth: AnswerValue;
};

/**
 * What people answered to gold, whose truth is known, and a sample of ordinary items: with it every chunk of a run
 * believes the same people, and a hundred thousand items need not be held at once.
 */
export async function readAnchor(
  db: Db,
  { stageId, seed, schemas }: { stageId: string; seed: string; schemas: ReadonlyMap<string, DatasetSchema> },
): Promise<Anchor> {
  const found = await db.execute<GoldRow>(sql`
    select a.item_id as "itemId", i.schema_version_id as "schemaVersionId", a.worker_id as "workerId", a.value,
      g.value as truth
    from ${gold} g join ${items} i on i.id = g.item_id join ${checks} c on c.gold_id = g.id
    join ${leases} l on l.id = c.lease_id join ${batches} b on b.id = l.batch_id and b.state <> 'leased'
    join ${answers} a on a.lease_id = l.id
    where i.stage_id = ${stageId} and g.state in ('active', 'retired') and c.passed is not null
    order by a.id desc limit ${GOLD_ANSWERS}`);
  const sample = await readItems(db, {
    where: sql`i.stage_id = ${stageId} and ${hasSeveral}`,
    order: shuffled(seed),
    limit: SAMPLE,
  });
  const votes: Anchor['votes'][number][] = [];
  const truth = new Map<string, string>();
  for (const row of found.rows) {
    const schema = schemas.get(row.schemaVersionId);
    if (!schema) continue;
    votes.push(...votesIn(row.itemId, row, schema));
    const known = { workerId: '', value: row.truth };
    for (const { item, value } of votesIn(row.itemId, known, schema)) truth.set(item, value);
  }
  for (const item of sample) {
    const schema = schemas.get(item.schemaVersionId);
    if (schema) votes.push(...item.answers.flatMap((answer) => votesIn(item.id, answer, schema)));
  }
  return { votes, truth };
}
