import { invalid } from '@/lib/core/errors';
import {
  type Assignment,
  inOrder,
  type Leak,
  leaksOf,
  type Member,
  splitByGroup,
  splitIntoFolds,
  splitStratified,
  type Tie,
} from '@/lib/core/splits';
import { SplitName, type SplitSpec } from './split-spec';

/** An image, as far as dealing has to know it. Its id is the hash of the file as it was given. */
export interface Dealt extends Member {
  name: string;
  wnid: string | null;
  columns: Readonly<Record<string, string>>;
}

/** By name of the image, for a split given as a table. */
export type GivenSplit = ReadonlyMap<string, string>;

export interface Deal {
  assignment: Assignment;
  splits: string[];
  leaks: Leak[];
}

/** Gives every image its part and says what belongs together and was put apart. */
export function deal(
  members: readonly Dealt[],
  ties: readonly Tie[],
  spec: SplitSpec,
  given: GivenSplit,
): Deal {
  const assignment = assign(members, ties, spec, given);
  const named = 'shares' in spec ? Object.keys(spec.shares) : [];
  return {
    assignment,
    splits: inOrder([...named, ...assignment.values()]),
    leaks: leaksOf(members, ties, assignment),
  };
}

function assign(
  members: readonly Dealt[],
  ties: readonly Tie[],
  spec: SplitSpec,
  given: GivenSplit,
): Assignment {
  switch (spec.kind) {
    case 'stratified':
      return splitStratified(members, ties, spec);
    case 'group':
      return splitByGroup(
        members.map((member) => ({ ...member, group: groupOf(member, spec.by) })),
        ties,
        spec,
      );
    case 'folds':
      return splitIntoFolds(members, ties, spec);
    case 'column':
      return byWord(members, (member) => ownColumn(member, spec.column), {
        none: `have no "${spec.column}"`,
        mend: 'Choose another column, or a filter that leaves these images out.',
      });
    case 'file':
      return byWord(members, (member) => given.get(member.name), {
        none: 'are not in the table',
        mend: 'Add them to it, or choose a filter that leaves them out.',
      });
    case 'none':
      return new Map(members.map(({ id }) => [id, 'all']));
  }
}

/** A column may be called anything, "constructor" too. */
const ownColumn = ({ columns }: Dealt, name: string): string | undefined =>
  Object.hasOwn(columns, name) ? columns[name] : undefined;

function groupOf(member: Dealt, by: string): string {
  const value =
    by === 'class'
      ? member.className
      : by === 'wnid'
        ? member.wnid
        : by === 'group'
          ? member.groupKey
          : ownColumn(member, by);
  // Without a value an image is a group of its own: nothing says that it belongs to another.
  return value ?? `\u0000${member.id}`;
}

function byWord(
  members: readonly Dealt[],
  wordOf: (member: Dealt) => string | undefined,
  missing: { none: string; mend: string },
): Assignment {
  const without = members.filter((member) => !wordOf(member));
  if (without.length > 0)
    throw invalid(`${without.length} images ${missing.none}: ${firstNames(without)} ${missing.mend}`);
  const odd = members.filter((member) => !SplitName.safeParse(splitWord(wordOf(member))).success);
  if (odd.length > 0)
    throw invalid(
      `${odd.length} images have a split that is no name (small letters, digits and hyphens): ${firstNames(odd)}`,
    );
  return new Map(members.map((member) => [member.id, splitWord(wordOf(member))]));
}

const synonyms = new Map([
  ['validation', 'val'],
  ['valid', 'val'],
  ['training', 'train'],
  ['testing', 'test'],
]);

/** "Validation" of one tool is "val" of another. */
const splitWord = (word = ''): string => {
  const small = word.trim().toLowerCase();
  return synonyms.get(small) ?? small;
};

const firstNames = (members: readonly Dealt[]): string =>
  members
    .slice(0, 5)
    .map(({ name }) => `"${name}"`)
    .join(', ') + (members.length > 5 ? ' …' : '.');
