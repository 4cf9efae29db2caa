import { and, eq, ilike, isNull, ne, type SQL, sql } from 'drizzle-orm';
import { tables } from '@/db';
import { type ImageFilter, noClass } from './image-filter';

const { answers, images, items, labelRisks, labels, sliceImages, uploadFiles } = tables;

/**
 * Holds for the images of a project that a filter leaves. Everything stays within the project: its images are
 * read by an index in the order of their ids, and what hangs on an image is probed by an index on the image.
 */
export function matchingImages(projectId: string, filter: ImageFilter): SQL | undefined {
  const { text, upload, worker, attribute, lookalikes, slice } = filter;
  return and(
    eq(images.projectId, projectId),
    // What was made of an image for an evaluation is no image of the dataset.
    ne(images.state, 'derived'),
    equalsOrNone(images.className, filter.class),
    equalsOrNone(images.groupKey, filter.group),
    filter.state && eq(images.state, filter.state),
    text ? ilike(images.name, `%${escapeLike(text)}%`) : undefined,
    filter.sideFrom === undefined
      ? undefined
      : sql`least(${images.width}, ${images.height}) >= ${filter.sideFrom}`,
    filter.sideTo === undefined
      ? undefined
      : sql`least(${images.width}, ${images.height}) <= ${filter.sideTo}`,
    lookalikes === 'any' ? sql`${images.lookalikeOf} is not null` : undefined,
    lookalikes && lookalikes !== 'any' ? eq(images.lookalikeOf, lookalikes) : undefined,
    upload
      ? sql`exists (select 1 from ${uploadFiles} f
        where f.image_id = ${images.id} and f.upload_id = ${upload} and f.state = 'accepted')`
      : undefined,
    filter.labels && sql`${filter.labels === 'none' ? sql`not` : sql``} exists (${currentLabels(projectId)})`,
    attribute
      ? sql`exists (${currentLabels(projectId)} and jsonb_path_exists(l.value, '$.choices.*[*] ? (@ == $wanted)',
        jsonb_build_object('wanted', ${attribute}::text)))`
      : undefined,
    labelCondition(projectId, filter),
    slice
      ? sql`exists (select 1 from ${sliceImages} m where m.slice_id = ${slice} and m.image_id = ${images.id})`
      : undefined,
    worker
      ? sql`exists (select 1 from ${items} i join ${answers} a on a.item_id = i.id
        where i.image_id = ${images.id} and a.worker_id = ${worker})`
      : undefined,
  );
}

const equalsOrNone = (
  column: typeof images.className | typeof images.groupKey,
  wanted: string | undefined,
): SQL | undefined => {
  if (wanted === undefined) return undefined;
  return wanted === noClass ? isNull(column) : eq(column, wanted);
};

const currentLabels = (projectId: string) => sql`select 1 from ${labels} l
  where l.image_id = ${images.id} and l.project_id = ${projectId} and l.is_current`;

/** Target, agreement and risk speak of one and the same label: "the wings that people disagree about". */
function labelCondition(projectId: string, filter: ImageFilter): SQL | undefined {
  const { target, agreementFrom, agreementTo, riskFrom, riskTo } = filter;
  const rated = and(
    agreementFrom === undefined ? undefined : sql`r.agreement >= ${agreementFrom}::real`,
    agreementTo === undefined ? undefined : sql`r.agreement <= ${agreementTo}::real`,
    riskFrom === undefined ? undefined : sql`r.risk >= ${riskFrom}::real`,
    riskTo === undefined ? undefined : sql`r.risk <= ${riskTo}::real`,
  );
  if (target === undefined && !rated) return undefined;
  return sql`exists (${currentLabels(projectId)}
    ${target === undefined ? sql`` : sql`and l.target = ${target} and l.mask is not null`}
    ${rated ? sql`and exists (select 1 from ${labelRisks} r where r.label_id = l.id and ${rated})` : sql``})`;
}

const escapeLike = (text: string): string => text.replace(/[\\%_]/g, '\\$&');
