import { sql } from 'drizzle-orm';
import { type Database, tables } from '@/db';
import { systemActor } from '@/lib/core/actor';
import { effectivePolicy } from '@/lib/services/crowd/work/effective-policy';
import { PREDICT_JOB } from '@/lib/services/inference/predictions';
import { enqueue } from '@/lib/services/jobs/enqueue';
import { activeStates } from '@/lib/services/jobs/job-row';
import { SELECT_JOB, SELECTED } from './select-next';

const { items, jobs, models, predictions, projects, stages } = tables;

/** After a choice that failed or that somebody cancelled. */
const PATIENCE_MINUTES = 10;
/** More are due the next time. */
const MOST = 20;

const author = systemActor('Model in the loop');

type Due = {
  projectId: string;
  stageId: string;
  name: string;
  projectPolicy: Record<string, unknown>;
  stagePolicy: Record<string, unknown>;
};

/**
 * Has the promoted model choose again in the stages whose policy wants that, once all that it chose last is handed out.
 * Not while it still looks at images, and not where it has seen nothing that the stage asks about.
 */
export async function selectDue(db: Database): Promise<number> {
  const isWanted = (policy: typeof stages.policy | typeof projects.policy) =>
    sql`${policy} #>> '{askNext,isOn}' = 'true'`;
  return db.transaction(async (tx) => {
    const { rows } = await tx.execute<Due>(sql`
      select ${stages.id} as "stageId", ${stages.name} as name, ${stages.projectId} as "projectId",
        ${stages.policy} as "stagePolicy", ${projects.policy} as "projectPolicy"
      from ${stages} join ${projects} on ${projects.id} = ${stages.projectId}
      where ${stages.state} = 'open' and ${projects.state} <> 'archived'
        and (${isWanted(stages.policy)} or ${isWanted(projects.policy)})
        and not exists (
          select 1 from ${items} i where i.stage_id = ${stages.id} and i.state = 'open' and i.priority = ${SELECTED}
            and i.leased + i.answered < i.overlap)
        and not exists (
          select 1 from ${jobs} j where j.project_id = ${projects.id} and j.kind in (${SELECT_JOB}, ${PREDICT_JOB})
            and (j.state = any (${sql.param([...activeStates])}::text[])
              or (j.kind = ${SELECT_JOB} and j.state <> 'done'
                and j.finished_at > now() - make_interval(mins => ${PATIENCE_MINUTES}))))
        and exists (
          select 1 from ${models} m join ${predictions} p on p.model_id = m.id
            join ${items} i on i.image_id = p.image_id and i.stage_id = ${stages.id}
          where m.project_id = ${projects.id} and m.state = 'promoted' and i.state = 'open'
            and i.priority < ${SELECTED} and i.leased + i.answered < i.overlap)
      order by ${stages.id} limit ${MOST} for update of ${stages} skip locked`);
    let started = 0;
    // One of a project at a time: the next is due when it is done.
    for (const { projectId, stageId, name, ...policies } of new Map(
      rows.map((row) => [row.projectId, row]),
    ).values()) {
      const { askNext } = effectivePolicy(policies.projectPolicy, policies.stagePolicy);
      if (!askNext.isOn) continue;
      await enqueue(
        tx,
        SELECT_JOB,
        { projectId, stageId, count: askNext.images, author },
        { title: `Choose what ${name} asks next`, projectId, startedBy: null },
      );
      started++;
    }
    return started;
  });
}
