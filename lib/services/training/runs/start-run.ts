import { type Database, newId, tables } from '@/db';
import { type Author, actorId } from '@/lib/core/actor';
import { invalid } from '@/lib/core/errors';
import { record } from '@/lib/services/activity';
import { findVersion } from '@/lib/services/datasets/versions/open-version';
import { enqueue } from '@/lib/services/jobs';
import { type NewRun, specOf } from './new-run';
import { planStudy } from './plan-study';
import { insteadOfGpus, onProcessors, processorWarning } from './processor-warning';
import { trainJobOf } from './train-jobs';

export { NewRun, specOf } from './new-run';

const { runs } = tables;

/** Starts what is planned: a run for each seed, of each combination of a sweep; several are a study. */
export async function startRuns(
  db: Database,
  actor: Author,
  { projectId, run }: { projectId: string; run: NewRun },
): Promise<{ id: string; jobId: string; name: string }[]> {
  const version = await findVersion(db, { projectId, version: run.version });
  const title = run.name ?? `${run.arch}, ${run.method}, ${run.preset}`;
  const plan = await planStudy(db, version, run);
  const { planned } = plan;
  const warning = await processorWarning(db, run, plan);
  if (warning && !run.confirmed) throw invalid(`${warning} ${insteadOfGpus}`);
  const study = planned.length > 1 ? newId() : null;
  return db.transaction(async (tx) => {
    const started = [];
    for (const { seed, set, words } of planned) {
      const id = newId();
      const isNumbered = run.seeds.length > 1 || seed !== 0;
      const name = [title, words, isNumbered ? `seed ${seed}` : ''].filter(Boolean).join(', ');
      const spec = specOf({ ...run, set: warning ? { ...set, ...onProcessors } : set }, seed, id);
      const jobId = await enqueue(
        tx,
        trainJobOf(run.launcher),
        { runId: id },
        { title: `Train ${name}`, projectId, startedBy: actorId(actor) },
      );
      await tx.insert(runs).values({
        id,
        projectId,
        versionId: version.id,
        name,
        spec,
        options: run.options,
        launcher: run.launcher,
        study,
        jobId,
        createdBy: actorId(actor),
      });
      await record(tx, {
        actor,
        verb: 'run.start',
        subject: 'run',
        subjectId: id,
        projectId,
        detail: {
          name,
          version: version.number,
          preset: run.preset,
          arch: run.arch,
          method: run.method,
          seed,
          launcher: run.launcher,
        },
      });
      started.push({ id, jobId, name });
    }
    return started;
  });
}
