import { sql } from 'drizzle-orm';
import { type Transaction, tables } from '@/db';
import { groupBy } from '@/lib/core/quality/group-by';
import { MAX_INSTANCES, partsOfClass, readTarget, writeTarget } from '@/lib/core/schema';
import { changeFollowing, type ImagePlan } from './change-following';
import { type AskedRow, askedAbout, planFollowing, settingOf } from './follow-forms';
import { type OutlineRow, objectsOf, outlinesOf } from './number-objects';

interface FollowingObjects {
  projectId: string;
  /** Items of object stages whose label was made, replaced or taken back just now. They are locked. */
  itemIds: readonly string[];
  by: 'crowd' | 'curator';
}

/**
 * Asks for the parts of the further objects in the current outline labels of some images (`wheel#2:car`), and withdraws
 * the questions about objects that are not there any more, with their answers and labels. Questions whose object is
 * there again come back as they were. The main object is asked about anyway. Without several objects, now or before,
 * this reads and changes nothing else.
 */
export async function followObjects(
  tx: Transaction,
  { projectId, itemIds, by }: FollowingObjects,
): Promise<void> {
  const outlines = [...(await outlinesOf(tx, itemIds)).values()].filter(({ isLabelled }) => isLabelled);
  const [first] = outlines;
  if (!first) return;
  const imageIds = [...new Set(outlines.map(({ imageId }) => imageId))];
  if (outlines.every(({ instances }) => instances === null) && !(await hasObjectQuestions(tx, imageIds)))
    return;
  const setting = await settingOf(tx, projectId);
  const stages = setting.stages.filter(({ kind }) => kind === 'part-mask');
  if (stages.length === 0) return;
  const rows = await askedAbout(tx, imageIds, stages, 'objects');
  const asked = groupBy(rows, ({ imageId }) => imageId);
  const plans = outlines.map((outline): ImagePlan => {
    const { imageId, className, priority, taken } = outline;
    const numbers = objectsOf(outline).flatMap(({ number }) => (number > 1 ? [number] : []));
    const parts = className === null ? [] : partsOfClass(setting.schema, className);
    const expected = stages.flatMap(({ id: stageId }) =>
      numbers.flatMap((instance) =>
        parts.map(({ id }) => {
          const target = writeTarget({ id, instance, className });
          return { stageId, target, priority, isAnew: false };
        }),
      ),
    );
    const own = (asked.get(imageId) ?? []).filter((row) => isOfObject(row, outline, taken));
    const plan = planFollowing(expected, own, { isKnown: true, by });
    // A closed stage keeps what it has and asks nobody anything new.
    const open = new Set(stages.filter(({ isClosed }) => !isClosed).map(({ id }) => id));
    return { imageId, ...plan, ask: plan.ask.filter(({ stageId }) => open.has(stageId)) };
  });
  await changeFollowing(tx, { ...setting, projectId, cause: 'objects' }, plans);
}

/** Objects from an import have an outline of their own, or labels that nobody was asked for. */
function isOfObject({ target, isImported }: AskedRow, { className }: OutlineRow, taken: readonly number[]) {
  const about = readTarget(target);
  return (
    about.instance > 1 &&
    about.instance <= MAX_INSTANCES &&
    about.className === className &&
    !taken.includes(about.instance) &&
    !isImported
  );
}

async function hasObjectQuestions(tx: Transaction, imageIds: readonly string[]): Promise<boolean> {
  const found = await tx.execute(sql`
    select 1 from ${tables.items} i
    join ${tables.stages} s on s.id = i.stage_id and s.kind = 'part-mask'
    where i.image_id = any (${sql.param(imageIds)}::uuid[]) and position('#' in i.target) > 0 limit 1`);
  return found.rows.length > 0;
}
