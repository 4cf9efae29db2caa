import { invalid } from '@/lib/core/errors';
import { refuseTwice } from './contract';

export interface SchemaClass {
  id: string;
  name: string;
}

export interface MatchedClasses {
  /** As the schema names them, where it knows them. */
  classes: string[];
  /** Read as a class of the schema although written in another way. */
  renamed: string[];
  /** Of the model, which the schema does not know; and of the schema, which the model does not know. */
  unknown: string[];
  missing: string[];
}

const MOST_LISTED = 12;

/**
 * The classes of a model as the schema names them: by id, else by name, whatever the case. Both sides having classes that
 * the other lacks is mostly a matter of spelling, and is refused with both lists unless it is meant.
 */
export function matchClasses(
  written: readonly string[],
  schema: readonly SchemaClass[],
  { mayDiffer }: { mayDiffer: boolean },
): MatchedClasses {
  const ids = new Set(schema.map(({ id }) => id));
  const alike = new Map<string, string>();
  for (const { id, name } of schema) for (const way of [name, id]) alike.set(plain(way), id);
  const classes = written.map((given) => (ids.has(given) ? given : (alike.get(plain(given)) ?? given)));
  refuseTwice(classes);
  const known = new Set(classes);
  const matched = {
    classes,
    renamed: written.flatMap((given, i) => (given === classes[i] ? [] : [`${given} → ${classes[i]}`])),
    unknown: classes.filter((each) => !ids.has(each)),
    missing: schema.flatMap(({ id }) => (known.has(id) ? [] : [id])),
  };
  if (matched.unknown.length === classes.length)
    throw invalid(
      `None of its ${classes.length} classes is in the schema. It says ${some(matched.unknown)}; the schema has ${some(schema.map(({ id }) => id))}. Name the classes as the schema does, in the order of the outputs.`,
    );
  if (matched.unknown.length > 0 && matched.missing.length > 0 && !mayDiffer)
    throw invalid(
      `Its classes do not match the schema. Not in the schema: ${some(matched.unknown)}. Not in the model: ${some(matched.missing)}. Name them as the schema does; or say that it knows other classes, and only images of common ones are asked about.`,
    );
  return matched;
}

const plain = (name: string): string =>
  name
    .trim()
    .toLowerCase()
    .replace(/[\s_-]+/g, ' ');

export const some = (names: readonly string[]): string =>
  names.length <= MOST_LISTED
    ? names.join(', ')
    : `${names.slice(0, MOST_LISTED).join(', ')} and ${names.length - MOST_LISTED} more`;
