'use server';

import { revalidatePath } from 'next/cache';
import { z } from 'zod';
import { action, Before, Form, Slug } from '@/app/_actions/action';
import { type FormState, refusalOf } from '@/app/_actions/form-state';
import { database } from '@/db';
import type { ProjectVerb } from '@/lib/services/access';
import { type PageProject, pageProject } from '@/lib/services/access/page';
import {
  describeVersion,
  noteVersion,
  Tag,
  tagVersion,
  untagVersion,
} from '@/lib/services/datasets/versions/mark-version';
import { startVerification } from '@/lib/services/datasets/versions/verify-version';
import { startStatistics } from '@/lib/services/datasets/versions/version-statistics';

const Name = z.string().min(1).max(80);
const text = (form: FormData, name: string) => String(form.get(name) ?? '').trim();

/** Changes a version after checking the permission, and refreshes the page. */
async function change(
  slug: string,
  number: string,
  verb: ProjectVerb,
  work: (actor: PageProject['actor'], which: { projectId: string; version: string }) => Promise<unknown>,
): Promise<FormState> {
  const { actor, project } = await pageProject(Name.parse(slug), verb);
  const which = { projectId: project.id, version: Name.parse(number) };
  const state = await refusalOf(async () => {
    await work(actor, which);
  });
  revalidatePath(`/projects/${project.slug}/data`, 'layout');
  return state;
}

export const addTag = action(
  [Slug, Name, Before, Form],
  async (slug, number, _, form): Promise<FormState> => {
    const tag = Tag.safeParse(text(form, 'tag'));
    if (!tag.success) return { fields: { tag: tag.error.issues[0]?.message ?? 'The tag is not valid.' } };
    return change(slug, number, 'data.freeze', (actor, which) =>
      tagVersion(database(), actor, { ...which, tag: tag.data }),
    );
  },
);

export const removeTag = action([Slug, Name, Name], async (slug, number, tag): Promise<FormState> => {
  return change(slug, number, 'data.freeze', (actor, which) =>
    untagVersion(database(), actor, { ...which, tag }),
  );
});

export const describe = action(
  [Slug, Name, Before, Form],
  async (slug, number, _, form): Promise<FormState> => {
    const description = text(form, 'description').slice(0, 4000);
    return change(slug, number, 'data.freeze', (actor, which) =>
      describeVersion(database(), actor, { ...which, description }),
    );
  },
);

export const addNote = action(
  [Slug, Name, Before, Form],
  async (slug, number, _, form): Promise<FormState> => {
    const said = text(form, 'text').slice(0, 4000);
    const supersededBy = text(form, 'supersededBy') || undefined;
    return change(slug, number, 'data.freeze', (actor, which) =>
      noteVersion(database(), actor, { ...which, text: said, supersededBy }),
    );
  },
);

export const verify = action([Slug, Name], async (slug, number): Promise<FormState> => {
  return change(slug, number, 'data.freeze', (actor, which) => startVerification(database(), actor, which));
});

export const measure = action([Slug, Name], async (slug, number): Promise<FormState> => {
  return change(slug, number, 'project.read', (actor, which) => startStatistics(database(), actor, which));
});
