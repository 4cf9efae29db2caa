import type { DatasetSchema } from '../schema';
import { textKeys } from './keys';
import type { ProjectTexts, SourceText } from './texts';

/** Limits of texts for which the schema itself has none. */
const MAX_NAME = 300;
const MAX_DEFINITION = 5000;

/** All texts of a schema that workers read. */
export function schemaTexts(schema: DatasetSchema): SourceText[] {
  const texts: SourceText[] = [];
  const add = (key: string, group: string, label: string, original: string | undefined, isName: boolean) => {
    if (!original?.trim()) return;
    texts.push({
      key,
      area: 'schema',
      group,
      label,
      original,
      maxLength: isName ? MAX_NAME : MAX_DEFINITION,
      isMarkdown: false,
      isMultiline: !isName,
    });
  };
  add(textKeys.schemaDescription, 'Schema', 'Description', schema.description, false);
  for (const { id, name, definition } of schema.classes) {
    add(textKeys.className(id), 'Classes', `${name}: name`, name, true);
    add(textKeys.classDefinition(id), 'Classes', `${name}: definition`, definition, false);
  }
  for (const { id, name } of schema.attributeGroups)
    add(textKeys.groupName(id), 'Attribute groups', `${name}: name`, name, true);
  for (const { id, name, definition } of schema.attributes) {
    add(textKeys.attributeName(id), 'Attributes', `${name}: name`, name, true);
    add(textKeys.attributeDefinition(id), 'Attributes', `${name}: definition`, definition, false);
  }
  for (const { id, name, definition } of schema.parts) {
    add(textKeys.partName(id), 'Parts', `${name}: name`, name, true);
    add(textKeys.partDefinition(id), 'Parts', `${name}: definition`, definition, false);
  }
  return texts;
}

/** The schema with its names and definitions as the reader sees them. Ids stay, so answers do not change. */
export function translateSchema(schema: DatasetSchema, texts: ProjectTexts): DatasetSchema {
  const defined = (key: string, definition: string | undefined) =>
    definition === undefined ? {} : { definition: texts.quiet(key, definition) };
  return {
    ...schema,
    description: texts.quiet(textKeys.schemaDescription, schema.description),
    classes: schema.classes.map((entry) => ({
      ...entry,
      name: texts.quiet(textKeys.className(entry.id), entry.name),
      ...defined(textKeys.classDefinition(entry.id), entry.definition),
    })),
    attributeGroups: schema.attributeGroups.map((group) => ({
      ...group,
      name: texts.quiet(textKeys.groupName(group.id), group.name),
    })),
    attributes: schema.attributes.map((attribute) => ({
      ...attribute,
      name: texts.quiet(textKeys.attributeName(attribute.id), attribute.name),
      definition: texts.quiet(textKeys.attributeDefinition(attribute.id), attribute.definition),
    })),
    parts: schema.parts.map((part) => ({
      ...part,
      name: texts.quiet(textKeys.partName(part.id), part.name),
      ...defined(textKeys.partDefinition(part.id), part.definition),
    })),
  };
}

/** Counts the texts of a schema that the work of a stage shows, so that `coverage` is about these. */
export function countShown(
  schema: DatasetSchema,
  stageKind: 'attributes' | 'object-mask' | 'part-mask' | 'oracle',
  texts: ProjectTexts,
): void {
  const shown: Record<typeof stageKind, RegExp> = {
    attributes: /^schema\/(group|attribute)\/|^schema\/class\/.*\/name$/,
    'object-mask': /^schema\/class\//,
    'part-mask': /^schema\/part\/|^schema\/class\/.*\/name$/,
    oracle: /^schema\/class\//,
  };
  const drawn = new Set(
    schema.attributes.flatMap(({ id, kind }) =>
      kind === 'localised' ? [textKeys.attributeName(id), textKeys.attributeDefinition(id)] : [],
    ),
  );
  for (const { key, original } of schemaTexts(schema))
    if (shown[stageKind].test(key) || (stageKind === 'part-mask' && drawn.has(key)))
      texts.show(key, original);
}
