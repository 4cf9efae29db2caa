import { eq, sql } from 'drizzle-orm';
import { type Database, tables } from '@/db';
import { conflict, notFound } from '@/lib/core/errors';
import type { Locale } from '@/lib/core/i18n/locales';
import type { Actor, ProjectState } from '@/lib/services/access';
import { record } from '@/lib/services/activity';
import { askSoon } from '@/lib/services/jobs';

const { projects } = tables;

export interface ProjectChange {
  name?: string;
  description?: string;
  /** In which the team writes its texts. Translations stay stored; those into it are not shown. */
  language?: Locale;
  state?: ProjectState;
}

/** Where a project may go from where it is. What is taken from the archive does not collect by itself. */
export const nextStates: Record<ProjectState, readonly ProjectState[]> = {
  draft: ['collecting', 'archived'],
  collecting: ['paused', 'finished', 'archived'],
  paused: ['collecting', 'finished', 'archived'],
  finished: ['collecting', 'archived'],
  archived: ['paused'],
};

export async function updateProject(db: Database, actor: Actor, projectId: string, change: ProjectChange) {
  return db.transaction(async (tx) => {
    const [before] = await tx.select().from(projects).where(eq(projects.id, projectId)).for('update');
    if (!before) throw notFound('project');
    const {
      name = before.name,
      description = before.description,
      language = before.language,
      state = before.state,
    } = change;
    if (state !== before.state && !nextStates[before.state].includes(state)) {
      throw conflict(`The project is ${before.state} and cannot become ${state}.`);
    }
    const detail = differences(before, { name, description, language, state });
    if (Object.keys(detail).length === 0) return before;
    const [after] = await tx
      .update(projects)
      .set({ name, description, language, state, updatedAt: sql`now()` })
      .where(eq(projects.id, projectId))
      .returning();
    if (state === 'collecting' && before.state !== 'collecting') await askSoon(tx, projectId);
    await record(tx, {
      actor,
      verb: 'project.update',
      subject: 'project',
      subjectId: projectId,
      projectId,
      detail,
    });
    return after as typeof projects.$inferSelect;
  });
}

export const archiveProject = (db: Database, actor: Actor, projectId: string) =>
  updateProject(db, actor, projectId, { state: 'archived' });

export const restoreProject = (db: Database, actor: Actor, projectId: string) =>
  updateProject(db, actor, projectId, { state: 'paused' });

/** What the audit log keeps of a change: from and to of every field that differs. */
function differences(before: Record<string, unknown>, after: Record<string, unknown>) {
  return Object.fromEntries(
    Object.entries(after)
      .filter(([field, value]) => before[field] !== value)
      .map(([field, value]) => [field, { from: before[field], to: value }]),
  );
}
