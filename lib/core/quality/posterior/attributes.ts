import { NONE } from '@/lib/core/schema';
import {
  explain,
  explainAll,
  noPrior,
  type Outcome,
  reliabilityOf,
  type StagePrior,
  type WeighedAnswer,
} from './explanation';
import { compareSupport, probabilityTrue, type Reliability, type Support, voteWeight } from './reliability';

type Choices = Record<string, string[]>;
type Voter = { workerId: string; reliability: Reliability; choices: Choices };

/**
 * Settles a form attribute by attribute. The weighted majority decides. The probability of each decision follows
 * from the workers' sensitivity and specificity and from how common the attribute is, because most attributes are
 * absent from most images: a missed attribute and a false mark are errors of different frequency. The confidence is
 * the probability that all decisions are right.
 */
export function settleAttributes(answers: readonly WeighedAnswer[], prior: StagePrior = noPrior): Outcome {
  const voters = answers.flatMap((answer) =>
    answer.value.kind === 'attributes'
      ? [{ workerId: answer.workerId, reliability: reliabilityOf(answer), choices: answer.value.choices }]
      : [],
  );
  const names = [...new Set(voters.flatMap(({ choices }) => Object.keys(choices)))].sort();
  const groups = names.map((name) => settleGroup(name, voters, prior));
  const choices = Object.fromEntries(groups.map(({ name, chosen }) => [name, chosen]));
  const decisions = groups.flatMap((group) => group.decisions);
  const marked = new Set(groups.flatMap(({ posteriors }) => [...posteriors.keys()]));
  const certainties = [
    ...groups.flatMap((group) => group.certainties),
    ...unmarked(voters, marked, prior).map((present) => 1 - present),
  ];
  return {
    value: { kind: 'attributes', choices },
    mask: null,
    confidence: allRight(certainties),
    leastCertain: Math.min(1, ...certainties),
    posteriors: Object.fromEntries(groups.flatMap(({ posteriors }) => [...posteriors])),
    supporters: voters.filter((voter) => isSame(voter.choices, choices)).map(({ workerId }) => workerId),
    explanation:
      explainAll(decisions) ?? explain({ agree: voters.length, answers: voters.length, by: 'weight' }),
  };
}

/**
 * Variance of the frailty: how much more the attributes of one form go wrong together than independent ones would,
 * because a worker who does not look gets many of them wrong. Fitted to simulated crowds (docs/quality.md).
 */
const FRAILTY = 0.5;

/**
 * Probability that all decisions of a form are right. Independent ones would give exp(−hazard). With a gamma frailty
 * shared by the form it is (1 + θ · hazard)^(−1/θ) (Vaupel, Manton, Stallard, Demography 16, 1979), and never more
 * than that of the least certain decision.
 */
function allRight(certainties: readonly number[]): number {
  const hazard = certainties.reduce((sum, certainty) => sum - Math.log(Math.max(certainty, 1e-9)), 0);
  return Math.min(1, ...certainties, (1 + FRAILTY * hazard) ** (-1 / FRAILTY));
}

/** Probabilities that attributes are present although nobody marked them. */
function unmarked(
  voters: readonly Voter[],
  marked: ReadonlySet<string>,
  { frequencies }: StagePrior,
): number[] {
  const denials = voters.map(({ reliability }) => ({ ...reliability, isFor: false }));
  return Object.entries(frequencies)
    .filter(([id]) => !marked.has(id))
    .map(([, frequency]) => probabilityTrue(denials, frequency));
}

function settleGroup(name: string, voters: readonly Voter[], { frequencies, groups }: StagePrior) {
  const given = voters.map(({ reliability, choices }) => ({ reliability, options: choices[name] ?? [] }));
  const marked = [...new Set(given.flatMap(({ options }) => options))].filter((id) => id !== NONE).sort();
  const options = marked.map((id) => {
    const votes = given.map(({ reliability, options }) => ({ ...reliability, isFor: options.includes(id) }));
    return { id, ...weigh(votes, frequencies[id]) };
  });
  const ranked = options.toSorted((a, b) => compareSupport(b.yes, a.yes)?.difference ?? 0);
  const appearance = given.flatMap(({ options }) => options);
  const rules = groups?.[name] ?? rulesIn(given.map(({ options }) => options));
  const chosen = choose(ranked, rules).sort((a, b) => appearance.indexOf(a) - appearance.indexOf(b));
  const decisions = options.map(({ id, yes, no, comparison }) => {
    const agree = chosen.includes(id) ? yes.votes : no.votes;
    const isByForm = comparison.isChosen !== chosen.includes(id);
    const explanation = explain({
      agree,
      answers: voters.length,
      by: isByForm ? null : comparison.by,
    });
    return { id, explanation };
  });
  const certainties = options.map(({ id, yes, no }) => (chosen.includes(id) ? yes : no).probability);
  // Nobody marked anything, and frequencies are unknown: the certainty is that of the workers.
  if (options.length === 0 && Object.keys(frequencies).length === 0)
    certainties.push(probabilityTrue(given.map(({ reliability }) => ({ ...reliability, isFor: true }))));
  const posteriors = new Map(options.map(({ id, yes }) => [id, yes.probability]));
  return { name, chosen, decisions, certainties, posteriors };
}

function weigh(votes: readonly (Reliability & { isFor: boolean })[], frequency?: number) {
  const present = probabilityTrue(votes, frequency);
  const side = (isFor: boolean, probability: number): Support => {
    const own = votes.filter((vote) => vote.isFor === isFor);
    const weight = own.reduce((sum, { accuracy }) => sum + voteWeight(accuracy), 0);
    return { weight, votes: own.length, probability };
  };
  const [yes, no] = [side(true, present), side(false, 1 - present)];
  // An attribute that is exactly as likely absent is left out.
  const comparison = compareSupport(yes, no) ?? { by: null, difference: -1 };
  return { yes, no, comparison: { by: comparison.by, isChosen: comparison.difference > 0 } };
}

type Ranked = { id: string; comparison: { isChosen: boolean } };

type Rules = { min: number; max: number; allowsNone: boolean };

/** Infers the rules of a form from its answers. */
function rulesIn(given: readonly string[][]): Rules {
  const sizes = given.map((options) => options.length);
  return {
    min: Math.min(...sizes),
    max: Math.max(...sizes),
    allowsNone: given.some((options) => options.includes(NONE)),
  };
}

/** The options that won, within the rules of the form: the best supported ones where it allows fewer or wants more. */
function choose(ranked: readonly Ranked[], { min, max, allowsNone }: Rules): string[] {
  const won = ranked.filter(({ comparison }) => comparison.isChosen).length;
  if (won === 0 && allowsNone) return [NONE];
  const wanted = Math.min(max, Math.max(min, won));
  return ranked.slice(0, wanted).map(({ id }) => id);
}

function isSame(a: Choices, b: Choices): boolean {
  const groups = [...new Set([...Object.keys(a), ...Object.keys(b)])];
  return groups.every((group) => {
    const [some, others] = [new Set(a[group]), new Set(b[group])];
    return some.size === others.size && [...some].every((id) => others.has(id));
  });
}
