import { type SQL, sql } from 'drizzle-orm';
import { type Db, tables } from '@/db';
import type { GoldPool, goldStates, StageKind } from '@/db/schema';
import { decodeCounts, outlinePath } from '@/lib/core/mask';
import type { AnswerValue } from '@/lib/core/quality/answer';
import { type Share, wilson } from '@/lib/core/quality/interval';
import { hasDrifted } from '@/lib/services/crowd/gold/rotate-gold';
import { signBlobUrl } from '@/lib/services/storage';

const { checks, derivatives, gold, images, items, stages, users } = tables;

export type GoldState = (typeof goldStates)[number];

export interface GoldQuery {
  projectId: string;
  state?: GoldState;
  pool?: GoldPool;
  stageId?: string;
  target?: string;
  /** The id of the last row of the page before. */
  after?: string;
  limit?: number;
}

export interface ListedGold {
  id: string;
  state: GoldState;
  pool: GoldPool;
  stageId: string;
  stage: string;
  stageKind: StageKind;
  imageId: string;
  image: string;
  className: string | null;
  width: number;
  height: number;
  url: string;
  target: string;
  value: AnswerValue;
  /** The border of its mask as the path of an SVG in pixels of the image; null where nothing is drawn. */
  outline: string | null;
  author: string | null;
  authorId: string | null;
  confirmedBy: string | null;
  exposures: number;
  passed: Share | null;
  hasDrifted: boolean;
  createdAt: Date;
}

type Row = Omit<ListedGold, 'url' | 'outline' | 'passed' | 'hasDrifted' | 'createdAt'> & {
  blob: string;
  mask: string | null;
  outcomes: boolean[];
  createdAt: string;
};

export interface GoldPage {
  gold: ListedGold[];
  next: string | null;
  /** How many match the other filters, by state. */
  counts: Record<GoldState, number>;
}

/** A page of gold with its picture and how it fared, the newest first. Two statements, whatever the page. */
export async function listGold(db: Db, query: GoldQuery): Promise<GoldPage> {
  const limit = query.limit ?? 30;
  const among = sql`g.project_id = ${query.projectId}
    ${query.stageId ? sql`and i.stage_id = ${query.stageId}` : sql``}
    ${query.pool ? sql`and g.pool = ${query.pool}` : sql``}
    ${query.target === undefined ? sql`` : sql`and i.target = ${query.target}`}`;
  const page = await db.execute<Row>(sql`
    select g.id, g.state, g.pool, g.value, g.mask, g.exposures, g.author_id as "authorId", g.created_at as "createdAt",
      author.name as author, second.name as "confirmedBy",
      i.stage_id as "stageId", s.name as stage, s.kind as "stageKind", i.target,
      i.image_id as "imageId", image.name as image, image.class_name as "className", image.width, image.height,
      coalesce(small.blob, image.blob) as blob,
      array(select c.passed from ${checks} c where c.gold_id = g.id and c.passed is not null
        order by c.scored_at, c.id) as outcomes
    from ${gold} g
    join ${items} i on i.id = g.item_id
    join ${stages} s on s.id = i.stage_id
    join ${images} image on image.id = i.image_id
    left join ${derivatives} small on small.image_id = image.id and small.kind = 'thumbnail'
    left join ${users} author on author.id = g.author_id
    left join ${users} second on second.id = g.confirmed_by
    where ${among} ${filter(query)}
    order by g.id desc limit ${limit + 1}`);
  const counted = await db.execute<{ state: GoldState; n: number }>(sql`
    select g.state, count(*)::int as n from ${gold} g join ${items} i on i.id = g.item_id
    where ${among} group by g.state`);
  const rows = page.rows.slice(0, limit);
  return {
    gold: rows.map(shown),
    next: page.rows.length > limit ? (rows.at(-1)?.id ?? null) : null,
    counts: {
      candidate: 0,
      active: 0,
      excluded: 0,
      retired: 0,
      ...Object.fromEntries(counted.rows.map(({ state, n }) => [state, n])),
    },
  };
}

const filter = ({ state, after }: GoldQuery): SQL => sql`
  ${state ? sql`and g.state = ${state}` : sql``}
  ${after ? sql`and g.id < ${after}::uuid` : sql``}`;

function shown({ blob, mask, outcomes, createdAt, ...row }: Row): ListedGold {
  return {
    ...row,
    createdAt: new Date(createdAt),
    url: signBlobUrl(blob),
    outline: mask === null ? null : outlinePath(decodeCounts(mask, row.height, row.width)),
    passed: wilson(outcomes.filter(Boolean).length, outcomes.length),
    hasDrifted: hasDrifted(outcomes),
  };
}

/** What gold there is about, for the filter. */
export async function goldTargets(db: Db, projectId: string): Promise<string[]> {
  const found = await db.execute<{ target: string }>(sql`
    select distinct i.target from ${gold} g join ${items} i on i.id = g.item_id
    where g.project_id = ${projectId} and i.target <> '' order by 1`);
  return found.rows.map((row) => row.target);
}

interface PickQuery {
  projectId: string;
  stageId: string;
  target: string;
  /** Classes on which the target is asked; null for any. */
  classes: string[] | null;
  /** How the name begins. */
  name?: string;
  after?: string;
  limit?: number;
}

export interface PickedImage {
  id: string;
  name: string;
  className: string | null;
  width: number;
  height: number;
  url: string;
}

/** Images about which nothing is known for good yet, in the order they came. One statement, whatever the page. */
export async function pickImages(
  db: Db,
  { projectId, stageId, target, classes, name, after, limit = 48 }: PickQuery,
): Promise<{ images: PickedImage[]; next: string | null }> {
  const onClass: SQL =
    classes === null ? sql`` : sql`and image.class_name = any (${sql.param(classes)}::text[])`;
  const found = await db.execute<Omit<PickedImage, 'url'> & { blob: string }>(sql`
    select image.id, image.name, image.class_name as "className", image.width, image.height,
      coalesce(small.blob, image.blob) as blob
    from ${images} image
    left join ${derivatives} small on small.image_id = image.id and small.kind = 'thumbnail'
    where image.project_id = ${projectId} and image.state = 'active' ${onClass}
      ${name ? sql`and starts_with(image.name, ${name})` : sql``}
      ${after ? sql`and image.id > ${after}::uuid` : sql``}
      and not exists (
        select 1 from ${items} i join ${gold} g on g.item_id = i.id and g.state <> 'excluded'
        where i.image_id = image.id and i.stage_id = ${stageId} and i.target = ${target})
    order by image.id limit ${limit + 1}`);
  const rows = found.rows.slice(0, limit);
  return {
    images: rows.map(({ blob, ...image }) => ({ ...image, url: signBlobUrl(blob) })),
    next: found.rows.length > limit ? (rows.at(-1)?.id ?? null) : null,
  };
}
