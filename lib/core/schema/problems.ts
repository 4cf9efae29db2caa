import type { DatasetSchema } from './types';

export interface SchemaProblem {
  /** Where it is: `['parts', 3, 'classes']`. */
  path: readonly (string | number)[];
  message: string;
}

/** Entries of one kind. More than this nobody can choose from or keep apart by colour. */
export const MOST_ENTRIES = 200;

const lists = [
  ['classes', 'class', 'classes'],
  ['attributeGroups', 'attribute group', 'attribute groups'],
  ['attributes', 'attribute', 'attributes'],
  ['parts', 'part', 'parts'],
] as const;

/** What contradicts itself in a schema whose fields are all of the right kind. */
export function schemaProblems(schema: DatasetSchema): SchemaProblem[] {
  return [...listProblems(schema), ...groupProblems(schema), ...partProblems(schema)];
}

function listProblems(schema: DatasetSchema): SchemaProblem[] {
  return lists.flatMap(([field, word, words]) => {
    const ids = schema[field].map((entry) => entry.id);
    const problems = repeated(ids).map((index) => ({
      path: [field, index, 'id'],
      message: `${word} "${ids[index]}" appears twice`,
    }));
    if (ids.length <= MOST_ENTRIES) return problems;
    const message = `${ids.length} ${words}: at most ${MOST_ENTRIES} are possible`;
    return [...problems, { path: [field], message }];
  });
}

function groupProblems(schema: DatasetSchema): SchemaProblem[] {
  const known = new Set(schema.attributes.map((attribute) => attribute.id));
  const seen = new Set<string>();
  const problems: SchemaProblem[] = [];
  schema.attributeGroups.forEach((group, index) => {
    const path = ['attributeGroups', index];
    for (const id of group.attributes) {
      if (seen.has(id))
        problems.push({ path: [...path, 'attributes'], message: `attribute "${id}" is in two groups` });
      if (!known.has(id)) {
        const message = `a group names attribute "${id}", which does not exist`;
        problems.push({ path: [...path, 'attributes'], message });
      }
      seen.add(id);
    }
    if (group.min > group.max) {
      const message = `group "${group.id}" asks for more options than it allows`;
      problems.push({ path: [...path, 'max'], message });
    }
    const offered = group.attributes.length + (group.exclusiveNone ? 1 : 0);
    if (group.min > offered) {
      const message = `group "${group.id}" asks for ${group.min} options and has ${offered}`;
      problems.push({ path: [...path, 'min'], message });
    }
  });
  schema.attributes.forEach(({ id }, index) => {
    if (!seen.has(id)) {
      problems.push({ path: ['attributes', index, 'id'], message: `attribute "${id}" is in no group` });
    }
  });
  return problems;
}

function partProblems(schema: DatasetSchema): SchemaProblem[] {
  const classes = new Set(schema.classes.map((entry) => entry.id));
  // Both are drawn in the same stage, where a question is known by what it asks for.
  const drawn = new Set(schema.attributes.flatMap(({ id, kind }) => (kind === 'localised' ? [id] : [])));
  return schema.parts.flatMap((part, index) => {
    const strangers = part.classes
      .filter((id) => !classes.has(id))
      .map((id) => ({
        path: ['parts', index, 'classes'],
        message: `part "${part.id}" belongs to class "${id}", which does not exist`,
      }));
    if (!drawn.has(part.id)) return strangers;
    const message = `part "${part.id}" has the id of an attribute that is drawn`;
    return [...strangers, { path: ['parts', index, 'id'], message }];
  });
}

/** Places whose id stood there before. */
const repeated = (ids: readonly string[]): number[] =>
  ids.flatMap((id, index) => (ids.indexOf(id) === index ? [] : [index]));
