'use server';

import { revalidatePath } from 'next/cache';
import { z } from 'zod';
import { type FormState, refusalOf } from '@/app/_actions/form-state';
import { database } from '@/db';
import { pageProject } from '@/lib/auth/page';
import { type Changed, changeImages } from '@/lib/images/change-images';
import { ImageChange, ImageScope } from '@/lib/images/image-change';
import { ImageFilter } from '@/lib/images/image-filter';
import { keepOne } from '@/lib/images/keep-one';
import { requestLookalikes } from '@/lib/images/request-lookalikes';
import { deleteFilter, renameFilter, saveFilter } from '@/lib/images/saved-filters';

const Slug = z.string().min(1).max(80);
const Name = z.string().trim().min(1, 'Give it a name.').max(80, 'At most 80 characters.');

export type ChangeState = FormState & { outcome?: Changed };

export async function change(
  slug: string,
  input: { change: z.input<typeof ImageChange>; scope: z.input<typeof ImageScope> },
): Promise<ChangeState> {
  const { actor, project } = await pageProject(Slug.parse(slug), 'images.write');
  const wanted = { change: ImageChange.parse(input.change), scope: ImageScope.parse(input.scope) };
  let outcome: Changed | undefined;
  const state = await refusalOf(async () => {
    outcome = await changeImages(database(), actor, { projectId: project.id, ...wanted });
  });
  revalidatePath(`/projects/${project.slug}/images`, 'layout');
  return { ...state, outcome };
}

export async function keep(slug: string, imageId: string): Promise<ChangeState> {
  const { actor, project } = await pageProject(Slug.parse(slug), 'images.write');
  const kept = { projectId: project.id, imageId: z.uuid().parse(imageId) };
  let outcome: Changed | undefined;
  const state = await refusalOf(async () => {
    outcome = await keepOne(database(), actor, kept);
  });
  revalidatePath(`/projects/${project.slug}/images`, 'layout');
  return { ...state, outcome };
}

export async function compareAll(slug: string): Promise<FormState & { jobId?: string }> {
  const { actor, project } = await pageProject(Slug.parse(slug), 'images.write');
  let jobId: string | undefined;
  const state = await refusalOf(async () => {
    jobId = (await requestLookalikes(database(), actor, project.id)).jobId;
  });
  return { ...state, jobId };
}

/** Filters are everybody's own: whoever may look at images may save some. */
const asOwner = async (slug: string) => {
  const { actor, project } = await pageProject(Slug.parse(slug), 'images.read');
  return { project, owner: { projectId: project.id, ownerId: actor.userId } };
};

export async function save(slug: string, name: string, filter: ImageFilter): Promise<FormState> {
  const { project, owner } = await asOwner(slug);
  const named = Name.safeParse(name);
  if (!named.success) return { error: named.error.issues[0]?.message };
  const wanted = ImageFilter.parse(filter);
  const state = await refusalOf(async () => {
    await saveFilter(database(), owner, { name: named.data, filter: wanted });
  });
  revalidatePath(`/projects/${project.slug}/images`);
  return state;
}

export async function rename(slug: string, id: string, name: string): Promise<FormState> {
  const { project, owner } = await asOwner(slug);
  const named = Name.safeParse(name);
  if (!named.success) return { error: named.error.issues[0]?.message };
  const state = await refusalOf(() =>
    renameFilter(database(), owner, { id: z.uuid().parse(id), name: named.data }),
  );
  revalidatePath(`/projects/${project.slug}/images`);
  return state;
}

export async function remove(slug: string, id: string): Promise<FormState> {
  const { project, owner } = await asOwner(slug);
  const state = await refusalOf(() => deleteFilter(database(), owner, z.uuid().parse(id)));
  revalidatePath(`/projects/${project.slug}/images`);
  return state;
}
