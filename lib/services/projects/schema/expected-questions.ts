import type { StageKind } from '@/db/schema';
import {
  type AttributeChoices,
  type DatasetSchema,
  localisedAttributes,
  readTarget,
  stuffClasses,
} from '@/lib/core/schema';
import {
  firstQuestions,
  followingQuestions,
  type Question,
} from '@/lib/services/crowd/work/change-following';

export interface AskedStage {
  id: string;
  kind: StageKind;
}

/** Everything that a schema asks about one image, as far as what is known of it tells. */
export function expectedQuestions(
  schema: DatasetSchema,
  stages: readonly AskedStage[],
  className: string | null,
  choices: AttributeChoices | null,
): Question[] {
  const first = firstQuestions(schema, stages, className);
  if (choices === null) return first;
  const masks = stages.filter(({ kind }) => kind === 'object-mask' || kind === 'part-mask');
  const known = new Set(first.map(keyOf));
  const following = followingQuestions(schema, masks, className, choices);
  return [...first, ...following.filter((question) => !known.has(keyOf(question)))];
}

/** What the new schema asks about an image and the old one did not. */
export function addedQuestions(
  old: DatasetSchema,
  next: DatasetSchema,
  stages: { old: readonly AskedStage[]; next: readonly AskedStage[] },
  className: string | null,
  choices: AttributeChoices | null,
): Question[] {
  const before = new Set(expectedQuestions(old, stages.old, className, choices).map(keyOf));
  return expectedQuestions(next, stages.next, className, choices).filter(
    (question) => !before.has(keyOf(question)),
  );
}

export const keyOf = ({ stageId, target }: Question): string => `${stageId} ${target}`;

/** Targets that a schema draws on every class, and those it draws on one. */
export interface DrawnTargets {
  everywhere: string[];
  onClass: { target: string; className: string }[];
}

export function drawnTargets(schema: DatasetSchema): DrawnTargets {
  return {
    everywhere: localisedAttributes(schema).map(({ id }) => id),
    onClass: schema.parts.flatMap(({ id, classes }) =>
      classes.map((className) => ({ target: id, className })),
    ),
  };
}

/** Whether all parts and attributes that one schema draws are drawn by the other, on the same classes. */
export function drawsNoMore(next: DatasetSchema, old: DatasetSchema): boolean {
  const [now, before] = [drawnTargets(next), drawnTargets(old)];
  const known = new Set(before.onClass.map(({ target, className }) => `${target} ${className}`));
  return (
    now.everywhere.every((target) => before.everywhere.includes(target)) &&
    now.onClass.every(({ target, className }) => known.has(`${target} ${className}`))
  );
}

/** Whether a schema asks for nothing to be drawn that the other one does not ask for. */
export function asksNoMore(next: DatasetSchema, old: DatasetSchema): boolean {
  const known = new Set(stuffClasses(old).map(({ id }) => id));
  return drawsNoMore(next, old) && stuffClasses(next).every(({ id }) => known.has(id));
}

/** Whether a target is drawn on an image of a class. A further object in it has its own. */
export function isDrawn(targets: DrawnTargets, target: string, className: string | null): boolean {
  const { id, instance, className: own } = readTarget(target);
  const drawnOn = instance > 1 ? own : className;
  return (
    targets.everywhere.includes(id) ||
    targets.onClass.some((pair) => pair.target === id && pair.className === drawnOn)
  );
}
