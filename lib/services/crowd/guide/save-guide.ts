import { and, desc, eq } from 'drizzle-orm';
import { type Database, tables } from '@/db';
import { type Actor, actorId } from '@/lib/core/actor';
import { invalid, notFound } from '@/lib/core/errors';
import { record } from '@/lib/services/activity';
import { readProjectSchema } from '@/lib/services/images/ingest/project-schema';
import { targetsOf } from './default-text';
import { GuideText } from './example';
import { guidePictures } from './guide-pictures';

const { guides, stages } = tables;

export interface NewGuide {
  projectId: string;
  stageId: string;
  /** The attribute or part; empty for the stage itself. */
  target: string;
  text: unknown;
}

/** Instructions are never changed: what is saved is a new number, and the older ones can be read again. */
export async function saveGuide(db: Database, actor: Actor, input: NewGuide): Promise<{ number: number }> {
  const { projectId, stageId, target } = input;
  const text = parse(input.text);
  return db.transaction(async (tx) => {
    const [stage] = await tx
      .select({ kind: stages.kind })
      .from(stages)
      .where(and(eq(stages.id, stageId), eq(stages.projectId, projectId)))
      .for('no key update');
    if (!stage) throw notFound('stage');
    const schema = await readProjectSchema(tx, projectId);
    const isAsked = schema && targetsOf(schema, stage.kind).some((entry) => entry.target === target);
    if (target !== '' && !isAsked) throw invalid(`The stage does not ask about "${target}".`);
    const pictures = await guidePictures(tx, projectId);
    if (text.examples.some(({ picture }) => !pictures.has(picture))) {
      throw invalid('An example shows a picture that was not added to this guide.');
    }
    const [last] = await tx
      .select({ number: guides.number })
      .from(guides)
      .where(and(eq(guides.stageId, stageId), eq(guides.target, target)))
      .orderBy(desc(guides.number))
      .limit(1);
    const number = (last?.number ?? 0) + 1;
    await tx
      .insert(guides)
      .values({ projectId, stageId, target, number, ...text, createdBy: actorId(actor) });
    await record(tx, {
      actor,
      verb: 'guide.save',
      subject: 'stage',
      subjectId: stageId,
      projectId,
      detail: { target, number },
    });
    return { number };
  });
}

function parse(text: unknown): GuideText {
  const parsed = GuideText.safeParse(text);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw invalid(`${issue?.path.join('.') || 'The guide'}: ${issue?.message}`);
}
