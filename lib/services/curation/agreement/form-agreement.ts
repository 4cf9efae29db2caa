import { indexVotes, type Vote } from '@/lib/core/quality/aggregate';
import {
  type Estimate,
  gwetAc1,
  krippendorffAlpha,
  meanEstimate,
  rawAgreement,
} from '@/lib/core/quality/agreement';
import type { AnsweredItem } from '../consensus/read-items';
import { withoutFalseCertainty } from './perfect';

export interface FormRow {
  /** The attribute; of a stage that asks for the class, the class. */
  target: string;
  raw: Estimate;
  alpha: Estimate;
  ac1: Estimate;
  /** Mean share of the people who say that it is there. */
  prevalence: Estimate;
}

/** What was said of each option: everything marked in a form, or the class. */
const saidIn = (answer: AnsweredItem['answers'][number]): Set<string> | null => {
  if (answer.value.kind === 'class') return new Set([answer.value.className]);
  if (answer.value.kind !== 'attributes') return null;
  return new Set(Object.values(answer.value.choices).flat());
};

/** Every option as a question by itself: is it there or not? */
export function formAgreement(items: readonly AnsweredItem[], options: readonly string[]): FormRow[] {
  const forms = items.flatMap((item) =>
    item.answers.flatMap((answer) => {
      const said = saidIn(answer);
      return said ? [{ item: item.id, worker: answer.workerId, said }] : [];
    }),
  );
  return options.map((target) => {
    const votes = indexVotes(
      forms.map(({ item, worker, said }): Vote => ({ item, worker, value: said.has(target) ? 'yes' : 'no' })),
      ['no', 'yes'],
    );
    const prevalence = meanEstimate(sharesOf(items, target), [0, 1], 'Nobody has answered.');
    const figures = { raw: rawAgreement(votes), alpha: krippendorffAlpha(votes), ac1: gwetAc1(votes) };
    return { target, prevalence, ...withoutFalseCertainty(figures, prevalence.value ?? 0) };
  });
}

const sharesOf = (items: readonly AnsweredItem[], target: string): number[] =>
  items.flatMap(({ answers }) => {
    const said = answers.flatMap((answer) => saidIn(answer) ?? []);
    return said.length > 0 ? [said.filter((options) => options.has(target)).length / said.length] : [];
  });

export interface Dispute {
  target: string;
  /** How many of how many say that it is there. */
  yes: number;
  of: number;
}

/** The options on which the answers to an item differ, the most evenly split first. */
export function disputesOf({ answers }: AnsweredItem): Dispute[] {
  const said = answers.flatMap((answer) => saidIn(answer) ?? []);
  const options = new Set(said.flatMap((each) => [...each]).filter((id) => id !== 'none'));
  return [...options]
    .map((target) => ({ target, yes: said.filter((each) => each.has(target)).length, of: said.length }))
    .filter(({ yes, of }) => yes < of)
    .sort((a, b) => split(b) - split(a));
}

/** Of all pairs of answers, how many differ. */
export const split = ({ yes, of }: Dispute): number =>
  of < 2 ? 0 : (2 * yes * (of - yes)) / (of * (of - 1));
