'use server';

import { revalidatePath } from 'next/cache';
import { z } from 'zod';
import { action, Before, Form, Slug } from '@/app/_actions/action';
import { type FormState, submitForm } from '@/app/_actions/form-state';
import { database } from '@/db';
import { type Locale, locales } from '@/lib/core/i18n/locales';
import { pageProject } from '@/lib/services/access/page';
import { updateProject } from '@/lib/services/projects';

const Original = z.object({ language: z.enum(locales as [Locale, ...Locale[]]) });

export const changeOriginal = action(
  [Slug, Before, Form],
  async (slug, _before, form): Promise<FormState> => {
    const { actor, project } = await pageProject(slug, 'project.write');
    const state = await submitForm(Original, form, async ({ language }) => {
      await updateProject(database(), actor, project.id, { language });
    });
    revalidatePath(`/projects/${project.slug}/crowd/translations`);
    return state;
  },
);
