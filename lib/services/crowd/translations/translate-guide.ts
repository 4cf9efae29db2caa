import type { DatasetSchema } from '@/lib/core/schema';
import { nameExamples, type ProjectTexts, textKeys } from '@/lib/core/translations';
import type { GuideExample } from '../guide/example-places';
import type { GuidePart, StageGuide } from '../guide/guide-of';
import { defaultKey } from './source-texts';

/** The language of each text, which differs where one is not translated. */
export interface TranslatedPart extends Omit<GuidePart, 'examples'> {
  languages: { short: string; full: string };
  examples: (GuideExample & { language: string })[];
}

export interface TranslatedGuide extends Omit<StageGuide, 'general' | 'targets'> {
  general: TranslatedPart;
  targets: (TranslatedPart & { target: string; name: string })[];
}

/** The instructions of a stage as one reader sees them. */
export function translateGuide(
  guide: StageGuide,
  schema: DatasetSchema,
  texts: ProjectTexts,
): TranslatedGuide {
  const { stage, general, targets, pictures } = guide;
  return {
    stage: { ...stage, name: texts.text(textKeys.stageName(stage.id), stage.name) },
    pictures,
    general: translatePart(texts, stage.id, '', general),
    targets: targets.map((part) => ({
      ...(part.number === null
        ? translateDefault(texts, stage.id, part, schema)
        : translatePart(texts, stage.id, part.target, part)),
      target: part.target,
      name: texts.text(nameKey(part.target, schema), part.name),
    })),
  };
}

function translatePart(
  texts: ProjectTexts,
  stageId: string,
  target: string,
  part: GuidePart,
): TranslatedPart {
  const short = texts.show(textKeys.guideShort(stageId, target), part.short);
  const full = texts.show(textKeys.guideFull(stageId, target), part.full);
  const names = nameExamples(part.examples.map(({ picture }) => picture));
  return {
    number: part.number,
    short: short.text,
    full: full.text,
    languages: { short: short.language, full: full.language },
    examples: part.examples.map((example, index) => {
      const name = names[index] as string;
      const caption = texts.show(textKeys.exampleCaption(stageId, target, name), example.caption);
      const note = texts.show(textKeys.exampleNote(stageId, target, name), example.note);
      const isTranslated = [[example.caption, caption] as const, [example.note, note] as const].every(
        ([original, shown]) => original === '' || shown.language === texts.wanted,
      );
      // Caption and note are read together: they are of one language.
      return isTranslated
        ? { ...example, caption: caption.text, note: note.text, language: texts.wanted }
        : { ...example, language: texts.original };
    }),
  };
}

/** What the schema says about a target that has no guide of its own. */
function translateDefault(
  texts: ProjectTexts,
  stageId: string,
  part: StageGuide['targets'][number],
  schema: DatasetSchema,
): TranslatedPart {
  const key = defaultKey(stageId, part, schema) ?? definitionKey(part.target, schema);
  const short = texts.show(key, part.short);
  return {
    number: null,
    short: short.text,
    full: '',
    languages: { short: short.language, full: short.language },
    examples: [],
  };
}

const has = (entries: readonly { id: string }[], target: string) => entries.some(({ id }) => id === target);

/** Attributes, parts and classes can share an id; a stage asks about the first of these. */
function nameKey(target: string, schema: DatasetSchema): string {
  if (has(schema.attributes, target)) return textKeys.attributeName(target);
  return has(schema.parts, target) ? textKeys.partName(target) : textKeys.className(target);
}

function definitionKey(target: string, schema: DatasetSchema): string {
  if (has(schema.attributes, target)) return textKeys.attributeDefinition(target);
  return has(schema.parts, target) ? textKeys.partDefinition(target) : textKeys.classDefinition(target);
}
