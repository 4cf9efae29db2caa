import { eq, inArray, sql } from 'drizzle-orm';
import { type Db, tables } from '@/db';
import type { DatasetSchema } from '@/lib/core/schema';
import { endRunningBatches } from '@/lib/services/crowd/end-running-batches';
import { askAboutObjects, withdrawStuff } from './ask-about-objects';
import { askAddedQuestions } from './ask-added-questions';
import { carryGold } from './carry-gold';
import { reopenForms } from './reopen-forms';
import { setTargetsAside } from './set-targets-aside';

const { gold, items, projects, schemaVersions, stages } = tables;

export interface SchemaApplying {
  projectId: string;
  /** Ids of the version before and of the one that now holds. */
  from: string;
  to: string;
  askAgain: boolean;
}

/** What every step needs to know. */
export interface SchemaStep {
  projectId: string;
  old: DatasetSchema;
  next: DatasetSchema;
  versionId: string;
  number: number;
}

export type Report = (done: number, text: string) => Promise<void>;

/**
 * Makes what was collected fit a new version of the schema. Each step does nothing where it was done before, so
 * that a job that was killed can begin again.
 */
export async function applySchemaChange(
  db: Db,
  { projectId, from, to, askAgain }: SchemaApplying,
  report: Report = async () => undefined,
): Promise<void> {
  const versions = await db
    .select()
    .from(schemaVersions)
    .where(inArray(schemaVersions.id, [from, to]));
  const [old, next] = [from, to].map((id) => versions.find((version) => version.id === id));
  if (!old || !next) throw new Error('Both versions of the schema exist.');
  const step: SchemaStep = {
    projectId,
    old: old.document,
    next: next.document,
    versionId: to,
    number: next.number,
  };
  await db.transaction(async (tx) => {
    const [project] = await tx
      .select({ versionId: projects.schemaVersionId })
      .from(projects)
      .where(eq(projects.id, projectId))
      .for('no key update');
    if (project?.versionId !== to) {
      throw new Error('A newer version of the schema was saved since: this one is not applied over it.');
    }
    // There are some only when the job had failed and is tried again: work was handed out in between.
    await endRunningBatches(tx, projectId);
    await setTargetsAside(tx, step);
    await withdrawStuff(tx, step);
    await carryGold(tx, step);
    await showNewVersion(tx, step);
  });
  if (askAgain) await reopenForms(db, step, report);
  await askAddedQuestions(db, step, report);
  await askAboutObjects(db, step);
}

/**
 * Questions that nobody is at, and gold, are asked in the words of the new version: gold in the words of another
 * version than the rest would stand out. A form that somebody has answered keeps its version with its answers.
 */
async function showNewVersion(db: Db, { projectId, versionId }: SchemaStep): Promise<void> {
  const forms = db
    .select({ id: stages.id })
    .from(stages)
    .where(sql`${stages.projectId} = ${projectId} and ${eq(stages.kind, 'attributes')}`);
  // Held in the order of ids first, as everybody who changes items does: nobody waits in a circle.
  await db.execute(sql`
    with held as (
      select id from ${items}
      where project_id = ${projectId} and schema_version_id <> ${versionId} and leased = 0 and (
        (state = 'open' and (answered = 0 or stage_id not in (${forms})))
        or exists (select 1 from ${gold} g where g.item_id = ${items.id} and g.state <> 'excluded'))
      order by id for no key update
    )
    update ${items} i set schema_version_id = ${versionId} from held where i.id = held.id`);
}
