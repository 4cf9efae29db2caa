import { NONE } from '@/lib/schema';
import type { Outcome, WeighedAnswer } from './outcome';
import { certaintyOf, chanceOf } from './votes';

type Choices = Record<string, string[]>;
type Voter = { workerId: string; accuracy: number; choices: Choices };

/**
 * Each attribute by itself. The item is as sure as its least sure attribute among those that anybody marked; a
 * group in which nobody marked anything is as sure as those who say so.
 */
export function settleAttributes(answers: readonly WeighedAnswer[]): Outcome {
  const voters = answers.flatMap(({ workerId, accuracy, value }) =>
    value.kind === 'attributes' ? [{ workerId, accuracy, choices: value.choices }] : [],
  );
  const names = [...new Set(voters.flatMap(({ choices }) => Object.keys(choices)))];
  const groups = names.map((name) => settleGroup(name, voters));
  const choices = Object.fromEntries(groups.map(({ name, chosen }) => [name, chosen]));
  return {
    value: { kind: 'attributes', choices },
    mask: null,
    confidence: Math.min(1, ...groups.map((group) => group.confidence)),
    posteriors: Object.fromEntries(groups.flatMap(({ chances }) => [...chances])),
    supporters: voters.filter((voter) => isSame(voter.choices, choices)).map(({ workerId }) => workerId),
  };
}

function settleGroup(name: string, voters: readonly Voter[]) {
  const given = voters.map(({ accuracy, choices }) => ({ accuracy, options: choices[name] ?? [] }));
  const marked = new Set(given.flatMap(({ options }) => options).filter((id) => id !== NONE));
  const chanceThat = (says: (options: string[]) => boolean) =>
    chanceOf(given.map(({ accuracy, options }) => ({ accuracy, isFor: says(options) })));
  const chances = new Map([...marked].map((id) => [id, chanceThat((options) => options.includes(id))]));
  const sure = marked.size === 0 ? [chanceThat(() => true)] : [...chances.values()].map(certaintyOf);
  const chosen = choose(
    given.map(({ options }) => options),
    chances,
  );
  return { name, chances, chosen, confidence: Math.min(...sure) };
}

/** The likely options, but no more and no fewer than people gave, so that the rules of the form hold. */
function choose(given: readonly string[][], chances: ReadonlyMap<string, number>): string[] {
  const ranked = [...chances].sort((a, b) => b[1] - a[1]);
  const likely = ranked.filter(([, chance]) => chance > 0.5).map(([id]) => id);
  const sizes = given.map((options) => options.length);
  if (likely.length > 0) return likely.slice(0, Math.max(...sizes));
  if (given.some((options) => options.includes(NONE))) return [NONE];
  return ranked.slice(0, Math.min(...sizes)).map(([id]) => id);
}

function isSame(a: Choices, b: Choices): boolean {
  const groups = [...new Set([...Object.keys(a), ...Object.keys(b)])];
  return groups.every((group) => {
    const [some, others] = [new Set(a[group]), new Set(b[group])];
    return some.size === others.size && [...some].every((id) => others.has(id));
  });
}
