import { desc, eq } from 'drizzle-orm';
import { type Database, type Transaction, tables } from '@/db';
import { type Actor, actorId } from '@/lib/core/actor';
import { conflict, invalid, notFound } from '@/lib/core/errors';
import { type RuleSetting, rules } from '@/lib/core/quality/rules';
import { record } from '@/lib/services/activity';

const { projects, ruleSets } = tables;

export interface NewRules {
  projectId: string;
  rules: readonly RuleSetting[];
  /** The number that was in force when the curator looked; somebody may have been quicker. */
  after: number;
}

/** Puts a new rule set in force, from the next batch that ends. The ones before it stay on record. */
export async function switchRulesOn(
  db: Database,
  actor: Actor,
  input: NewRules,
): Promise<{ number: number }> {
  const settings = input.rules.map(checked);
  return db.transaction(async (tx) => {
    const newest = await holdNewest(tx, input.projectId);
    if (newest !== input.after) {
      throw conflict('Somebody else switched other rules on meanwhile: look at them, then try again.');
    }
    const number = newest + 1;
    await tx
      .insert(ruleSets)
      .values({ projectId: input.projectId, number, rules: settings, createdBy: actorId(actor) });
    await record(tx, {
      actor,
      verb: 'rules.switch-on',
      subject: 'rule-set',
      projectId: input.projectId,
      detail: { number, rules: settings },
    });
    return { number };
  });
}

function checked({ id, params }: RuleSetting): RuleSetting {
  const rule = rules.find((each) => each.id === id);
  if (!rule) throw invalid(`There is no rule "${id}".`);
  const parsed = rule.params.safeParse(params);
  const issue = parsed.error?.issues[0];
  if (issue) throw invalid(`${rule.title}, ${String(issue.path[0] ?? 'settings')}: ${issue.message}.`);
  return { id, params: parsed.data as Record<string, unknown> };
}

/** The project's row is the mutex: two curators never make the same number. */
async function holdNewest(tx: Transaction, projectId: string): Promise<number> {
  const [held] = await tx
    .select({ id: projects.id })
    .from(projects)
    .where(eq(projects.id, projectId))
    .for('no key update');
  if (!held) throw notFound('project');
  const [newest] = await tx
    .select({ number: ruleSets.number })
    .from(ruleSets)
    .where(eq(ruleSets.projectId, projectId))
    .orderBy(desc(ruleSets.number))
    .limit(1);
  return newest?.number ?? 0;
}
