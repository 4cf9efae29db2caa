import { eq } from 'drizzle-orm';
import { type Database, tables } from '@/db';
import type { AnswerValue } from '@/lib/core/quality/answer';
import { causesOfMask, errorsOfForm, type LabelNode, type Sources } from '@/lib/core/quality/attribution';
import { localisedAttributes } from '@/lib/core/schema';
import type { BehaviourName } from '@/lib/demo/simulation/behaviours';
import type { KnownScenes } from '@/lib/demo/simulation/known-scenes';
import {
  type Outcome,
  type Quality,
  qualityOf,
  type Score,
  scoreOutcome,
} from '@/lib/demo/simulation/score-label';
import type { Hand, StageCareer } from './crowd';
import type { Filled } from './fill';

const { answers, items, labels, stages } = tables;

/** What became of one worker in one stage. */
export interface CareerRow extends StageCareer {
  worker: number;
  behaviour: BehaviourName;
  stage: string;
}

export interface RunResult extends Quality {
  costMicro: bigint;
  /** Labels that are wrong and rest on bad work. */
  badLabels: number;
  careers: CareerRow[];
}

export async function judgeRun(
  db: Database,
  project: Filled,
  scenes: KnownScenes,
  hands: readonly Hand[],
  badAnswers: ReadonlySet<string>,
): Promise<Omit<RunResult, 'costMicro'>> {
  const scored = await scoreLabels(db, project, scenes, badAnswers);
  const badLabels = scored.filter(({ isWrong, isBad }) => isWrong && isBad).length;
  const careers = hands.flatMap(({ member, stages: own }) =>
    [...own].map(([id, career]) => {
      const stage = project.stages.find((each) => each.id === id)?.kind ?? '';
      return { worker: member.number, behaviour: member.behaviour, stage, ...career };
    }),
  );
  return { ...qualityOf(scored), badLabels, careers };
}

type Scored = Score & { isBad: boolean };

/** Every wrong label with the answers that caused it; a part that is there and has no mask is a wrong label, too. */
async function scoreLabels(
  db: Database,
  project: Filled,
  scenes: KnownScenes,
  badAnswers: ReadonlySet<string>,
): Promise<Scored[]> {
  const byId = new Map([...project.pictures.values()].map((picture) => [picture.id, picture]));
  const found = await db
    .select({ label: labels, stageKind: stages.kind })
    .from(labels)
    .innerJoin(items, eq(items.id, labels.itemId))
    .innerJoin(stages, eq(stages.id, items.stageId))
    .where(eq(labels.projectId, project.projectId));
  const given = await db
    .select({ id: answers.id, value: answers.value })
    .from(answers)
    .innerJoin(items, eq(items.id, answers.itemId))
    .where(eq(items.projectId, project.projectId));
  const nodes = new Map(found.map(({ label }) => [label.id, nodeOf(label)]));
  const values = new Map(given.map(({ id, value }) => [id, value as AnswerValue]));
  const sources: Sources = { label: (id) => nodes.get(id), answer: (id) => values.get(id) };
  const isBad = (ids: readonly string[]) => ids.some((id) => badAnswers.has(id));
  const parts = new Set(localisedAttributes(project.schema).map(({ id }) => id));
  return found.flatMap(({ label, stageKind }): Scored[] => {
    const picture = byId.get(label.imageId);
    const scene = picture && scenes.of(picture);
    if (!label.isCurrent || !scene) return [];
    const { target, mask } = label;
    const score = scoreOutcome({ stageKind, target, mask, value: label.value as Outcome['value'] }, scene);
    const node = nodeOf(label);
    if (stageKind !== 'attributes') return [{ ...score, isBad: isBad(causesOfMask(node, sources)) }];
    const there = [...scene.colours, ...Object.keys(scene.attributes).filter((id) => scene.attributes[id])];
    const errors = errorsOfForm(node, { attributes: new Set(there), parts }, sources);
    const missing = errors.filter(({ kind }) => kind === 'missing-part');
    const ofForm = errors.filter(({ kind }) => kind !== 'missing-part').flatMap((error) => error.answers);
    return [
      { ...score, isBad: isBad(ofForm) },
      ...missing.map((error) => ({ hits: null, iou: 0, isWrong: true, isBad: isBad(error.answers) })),
    ];
  });
}

const nodeOf = ({ id, value, provenance }: typeof labels.$inferSelect): LabelNode => ({
  id,
  value: value as AnswerValue,
  provenance,
});
