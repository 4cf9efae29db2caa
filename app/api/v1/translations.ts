import { z } from 'zod';
import { fileFormats, textAreas, writeTranslations } from '@/lib/core/translations';
import {
  importTranslations as importFile,
  saveTranslations as save,
  TranslationChanges,
  translationProgress,
  translationsOf,
} from '@/lib/services/crowd/translations';
import { endpoint } from '../_http/endpoint';
import { Language } from './work-fields';

const count = z.number().int();

/** A file of a large project has 2 MB. */
const MAX_FILE_BYTES = 8_000_000;

export const listTranslations = endpoint({
  method: 'GET',
  path: '/api/v1/projects/{project}/translations',
  summary: 'The languages of the worker pages, and how many texts of the project are translated into each',
  output: z.object({
    /** The language in which the texts were written. */
    original: z.string(),
    texts: count,
    languages: z.array(
      z.object({
        language: Language,
        progress: z.object({ translated: count, outdated: count, missing: count }),
      }),
    ),
  }),
  authorise: 'crowd.read',
  handler: ({ db, access }) => translationProgress(db, access.project.id),
});

export const getTranslations = endpoint({
  method: 'GET',
  path: '/api/v1/projects/{project}/translations/texts',
  summary: 'Every text that workers read, beside its translation into one language',
  query: z.strictObject({ language: Language }),
  output: z.object({
    original: z.string(),
    entries: z.array(
      z.object({
        key: z.string(),
        area: z.enum(textAreas),
        group: z.string(),
        label: z.string(),
        original: z.string(),
        maxLength: count,
        isMarkdown: z.boolean(),
        isMultiline: z.boolean(),
        /** `outdated`: the original has changed since; workers see the original until the translation is saved again. */
        state: z.enum(['translated', 'outdated', 'missing']),
        /** Counts the edits of this text; a change names the number it is based on. */
        number: count,
        translation: z.string(),
        /** The original of an outdated translation. */
        translatedFrom: z.string().nullable(),
      }),
    ),
  }),
  authorise: 'crowd.read',
  handler: ({ db, access, query }) => translationsOf(db, access.project.id, query.language),
});

export const saveTranslations = endpoint({
  method: 'PUT',
  path: '/api/v1/projects/{project}/translations/texts',
  summary: 'Translate texts of the project; 409 when one of them was translated by somebody else meanwhile',
  body: z.strictObject({ language: Language, changes: TranslationChanges }),
  bodyLimit: MAX_FILE_BYTES,
  output: z.object({ saved: count }),
  authorise: 'translations.write',
  handler: ({ db, actor, access, body }) => save(db, actor, { projectId: access.project.id, ...body }),
});

export const exportTranslations = endpoint({
  method: 'GET',
  path: '/api/v1/projects/{project}/translations/file',
  summary: 'One language as a file for a translator, JSON or CSV',
  query: z.strictObject({ language: Language, format: z.enum(fileFormats).default('json') }),
  output: { mediaType: 'application/json, text/csv' },
  authorise: 'crowd.read',
  handler: async ({ db, access: { project }, query: { language, format } }) => {
    const { original, entries } = await translationsOf(db, project.id, language);
    const head = { project: project.slug, from: original, to: language };
    return new Response(writeTranslations(format, head, entries), {
      headers: {
        'content-type': `${format === 'json' ? 'application/json' : 'text/csv'}; charset=utf-8`,
        'content-disposition': `attachment; filename="${project.slug}-${language}.${format}"`,
        'cache-control': 'no-store',
      },
    });
  },
});

export const importTranslations = endpoint({
  method: 'POST',
  path: '/api/v1/projects/{project}/translations/import',
  summary: 'Store what a translator sent back; lines that cannot be stored are listed and change nothing',
  body: z.strictObject({
    language: Language,
    format: z.enum(fileFormats),
    /** The file as text. */
    content: z.string().max(MAX_FILE_BYTES),
  }),
  bodyLimit: MAX_FILE_BYTES,
  output: z.object({
    imported: count,
    unchanged: count,
    empty: count,
    problems: z.array(z.object({ key: z.string(), problem: z.string() })),
  }),
  authorise: 'translations.write',
  handler: ({ db, actor, access, body }) => importFile(db, actor, { projectId: access.project.id, ...body }),
});
