import { and, eq } from 'drizzle-orm';
import { type Database, tables } from '@/db';
import type { BehaviourName } from '@/lib/simulation/behaviours';
import type { KnownScenes } from '@/lib/simulation/known-scenes';
import {
  type Outcome,
  type Quality,
  qualityOf,
  type Score,
  scoreOutcome,
} from '@/lib/simulation/score-label';
import type { Hand, StageCareer } from './crowd';
import type { Filled } from './fill';

const { items, labels, stages } = tables;

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

async function scoreLabels(
  db: Database,
  project: Filled,
  scenes: KnownScenes,
  badAnswers: ReadonlySet<string>,
): Promise<(Score & { isBad: boolean })[]> {
  const byId = new Map([...project.pictures.values()].map((picture) => [picture.id, picture]));
  const found = await db
    .select({ label: labels, stageKind: stages.kind })
    .from(labels)
    .innerJoin(items, eq(items.id, labels.itemId))
    .innerJoin(stages, eq(stages.id, items.stageId))
    .where(and(eq(labels.projectId, project.projectId), eq(labels.isCurrent, true)));
  return found.flatMap(({ label, stageKind }) => {
    const picture = byId.get(label.imageId);
    const scene = picture && scenes.of(picture);
    if (!scene) return [];
    const { target, mask, provenance } = label;
    const outcome = { stageKind, target, mask, value: label.value as Outcome['value'] };
    const behind = (provenance.agreed ?? provenance.answers ?? []) as string[];
    return [{ ...scoreOutcome(outcome, scene), isBad: behind.some((id) => badAnswers.has(id)) }];
  });
}
