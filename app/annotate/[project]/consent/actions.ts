'use server';

import { redirect } from 'next/navigation';
import { z } from 'zod';
import { action, Before, Form, Slug } from '@/app/_actions/action';
import type { FormState } from '@/app/_actions/form-state';
import { submitExplained } from '@/app/_i18n/explain-error';
import { database } from '@/db';
import { type Locale, locales } from '@/lib/core/i18n/locales';
import { pageProject } from '@/lib/services/access/page';
import { readGuides } from '@/lib/services/accounts';
import { agree } from '@/lib/services/crowd/consent';

const Agreement = z.object({
  textId: z.uuid(),
  isAdult: z.literal('yes'),
  language: z.enum(locales as [Locale, ...Locale[]]),
  translationIds: z
    .string()
    .max(2000)
    .transform((ids) => ids.split(' ').filter(Boolean)),
});

export const agreeToText = action([Slug, Before, Form], async (slug, _before, form): Promise<FormState> => {
  const { project, actor } = await pageProject(slug, 'work.read');
  const refused = await submitExplained(Agreement, form, async ({ textId, ...shown }) => {
    const { language, translationIds } = shown;
    await agree(database(), actor, {
      projectId: project.id,
      textId,
      isAdult: true,
      shown: { language, translationIds },
    });
  });
  if (refused.error) return { error: refused.fields?.isAdult ?? refused.error };
  redirect(
    (await readGuides(database(), actor.userId)).has(project.id) ? '/annotate' : `/annotate/${slug}/guide`,
  );
});
