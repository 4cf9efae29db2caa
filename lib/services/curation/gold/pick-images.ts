import { type SQL, sql } from 'drizzle-orm';
import { type Db, tables } from '@/db';
import { signBlobUrl } from '@/lib/services/storage';

const { derivatives, gold, images, items } = tables;

export interface PickQuery {
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
