'use server';

import { revalidatePath } from 'next/cache';
import { z } from 'zod';
import { action, Before, Form, Plain, Slug } from '@/app/_actions/action';
import { type FormState, refusalOf, submitForm } from '@/app/_actions/form-state';
import { database } from '@/db';
import { type Locale, locales } from '@/lib/core/i18n/locales';
import { fileFormats } from '@/lib/core/translations';
import { pageProject } from '@/lib/services/access/page';
import {
  type ImportResult,
  importTranslations,
  saveTranslations,
  TranslationChanges,
} from '@/lib/services/crowd/translations';
import { updateProject } from '@/lib/services/projects';

const Language = z.enum(locales as [Locale, ...Locale[]]);
const Edits = z.strictObject({ language: Language, changes: TranslationChanges });
const File = z.strictObject({
  language: Language,
  format: z.enum(fileFormats),
  content: z.string().max(8_000_000),
});

const pageOf = (slug: string) => `/projects/${slug}/crowd/translations`;

export const saveTexts = action([Slug, Plain], async (slug, input): Promise<FormState> => {
  const { actor, project } = await pageProject(slug, 'translations.write');
  const parsed = Edits.safeParse(input);
  if (!parsed.success) return { error: parsed.error.issues[0]?.message ?? 'Something is missing.' };
  const state = await refusalOf(async () => {
    await saveTranslations(database(), actor, { projectId: project.id, ...parsed.data });
  });
  if (!state.error) revalidatePath(pageOf(project.slug));
  return state;
});

export const importFile = action(
  [Slug, Plain],
  async (slug, input): Promise<FormState & { result?: ImportResult }> => {
    const { actor, project } = await pageProject(slug, 'translations.write');
    const parsed = File.safeParse(input);
    if (!parsed.success)
      return { error: 'The file is too large or of another type. Import a JSON or CSV file.' };
    let result: ImportResult | undefined;
    const state = await refusalOf(async () => {
      result = await importTranslations(database(), actor, { projectId: project.id, ...parsed.data });
    });
    if (result) revalidatePath(pageOf(project.slug));
    return { ...state, result };
  },
);

const Original = z.object({ language: Language });

export const changeOriginal = action(
  [Slug, Before, Form],
  async (slug, _before, form): Promise<FormState> => {
    const { actor, project } = await pageProject(slug, 'project.write');
    const state = await submitForm(Original, form, async ({ language }) => {
      await updateProject(database(), actor, project.id, { language });
    });
    revalidatePath(pageOf(project.slug));
    return state;
  },
);
