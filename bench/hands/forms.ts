import { type AttributeChoices, choicesFrom, NONE } from '@/lib/core/schema';
import { rival10 } from '@/lib/core/schema/presets';
import { generateScene } from '@/lib/demo/scenes';

/** Digits for the first group, which is current when the form opens; letters; Enter, or Shift+Enter for "none". */
export function keystrokes(choices: AttributeChoices): number {
  return (
    Object.values(choices)
      .flat()
      .filter((option) => option !== NONE).length + 1
  );
}

/** Before: every choice, "none" included, Enter between groups, and Ctrl+Enter. */
export function keystrokesBefore(choices: AttributeChoices): number {
  const chosen = rival10.attributeGroups.map(({ id }) => choices[id] ?? []);
  return chosen.flat().length + (chosen.length - 1) + 1;
}

/** The right answers for generated scenes of the RIVAL10 preset, with all that is true of them. */
export function trueForms(count: number): AttributeChoices[] {
  return Array.from({ length: count }, (_, index) =>
    generateScene({ preset: 'rival10', seed: index, width: 128, height: 128 }),
  ).map(({ attributes, colours }) => {
    const positives = Object.entries(attributes).flatMap(([id, isTrue]) => (isTrue ? [id] : []));
    return choicesFrom(rival10, [...positives, ...colours]);
  });
}

export const median = (list: readonly number[]): number =>
  list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)] ?? 0;
