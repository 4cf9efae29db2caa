import { indexVotes, type Vote } from '@/lib/core/quality/aggregate';
import {
  type Estimate,
  gwetAc1,
  krippendorffAlpha,
  meanEstimate,
  rawAgreement,
} from '@/lib/core/quality/agreement';
import { wilson } from '@/lib/core/quality/interval';
import type { AnsweredItem } from '../consensus/read-items';

interface Figures {
  raw: Estimate;
  ac1: Estimate;
  alpha?: Estimate;
}

/**
 * Where everybody agreed on every item, leaving items out shows no spread at all, and the interval would claim that
 * no two people will ever differ. The lower end is then what n of n items allow (Wilson), put through the formula of
 * each figure; `share` is how common the one of the two answers is.
 */
export function withoutFalseCertainty<F extends Figures>(figures: F, share: number): F {
  const { raw, ac1, alpha } = figures;
  const least = raw.value === 1 ? wilson(raw.n, raw.n)?.low : undefined;
  if (least === undefined) return figures;
  const chance = 2 * share * (1 - share);
  const lowered = (estimate: Estimate, low: number): Estimate =>
    estimate.value === 1 ? { ...estimate, low: Math.max(-1, Math.min(estimate.low, low)) } : estimate;
  return {
    ...figures,
    raw: lowered(raw, least),
    ac1: lowered(ac1, (least - chance) / (1 - chance)),
    ...(alpha && { alpha: lowered(alpha, chance > 0 ? 1 - (1 - least) / chance : -1) }),
  };
}

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
const valuesIn = (answer: AnsweredItem['answers'][number]): Set<string> | null => {
  if (answer.value.kind === 'class') return new Set([answer.value.className]);
  if (answer.value.kind !== 'attributes') return null;
  return new Set(Object.values(answer.value.choices).flat());
};

/** Every option as a question by itself: is it there or not? */
export function formAgreement(items: readonly AnsweredItem[], options: readonly string[]): FormRow[] {
  const forms = items.flatMap((item) =>
    item.answers.flatMap((answer) => {
      const said = valuesIn(answer);
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
    const said = answers.flatMap((answer) => valuesIn(answer) ?? []);
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
  const said = answers.flatMap((answer) => valuesIn(answer) ?? []);
  const options = new Set(said.flatMap((each) => [...each]).filter((id) => id !== 'none'));
  return [...options]
    .map((target) => ({ target, yes: said.filter((each) => each.has(target)).length, of: said.length }))
    .filter(({ yes, of }) => yes < of)
    .sort((a, b) => split(b) - split(a));
}

/** Of all pairs of answers, how many differ. */
export const split = ({ yes, of }: Dispute): number =>
  of < 2 ? 0 : (2 * yes * (of - yes)) / (of * (of - 1));
