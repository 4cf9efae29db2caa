'use server';

import { revalidatePath } from 'next/cache';
import { z } from 'zod';
import { action, Id, Slug } from '@/app/_actions/action';
import { type FormState, refusalOf } from '@/app/_actions/form-state';
import { database } from '@/db';
import { pageProject } from '@/lib/services/access/page';
import { type Changed, changeImages } from '@/lib/services/images/change-images';
import { deleteFilter, renameFilter, saveFilter } from '@/lib/services/images/filters';
import { ImageChange, ImageScope } from '@/lib/services/images/image-change';
import { ImageFilter } from '@/lib/services/images/image-filter';
import { keepLookalike } from '@/lib/services/images/list-lookalikes';
import { requestLookalikes } from '@/lib/services/images/lookalikes';

const Name = z.string().trim().min(1, 'Enter a name.').max(80, 'At most 80 characters.');

export type ChangeState = FormState & { outcome?: Changed };

export const change = action(
  [Slug, z.strictObject({ change: ImageChange, scope: ImageScope })],
  async (slug, input): Promise<ChangeState> => {
    const { actor, project } = await pageProject(slug, 'images.write');
    let outcome: Changed | undefined;
    const state = await refusalOf(async () => {
      outcome = await changeImages(database(), actor, { projectId: project.id, ...input });
    });
    revalidatePath(`/projects/${project.slug}/images`, 'layout');
    return { ...state, outcome };
  },
);

export const keep = action([Slug, Id], async (slug, imageId): Promise<ChangeState> => {
  const { actor, project } = await pageProject(slug, 'images.write');
  const kept = { projectId: project.id, imageId };
  let outcome: Changed | undefined;
  const state = await refusalOf(async () => {
    outcome = await keepLookalike(database(), actor, kept);
  });
  revalidatePath(`/projects/${project.slug}/images`, 'layout');
  return { ...state, outcome };
});

export const compareAll = action([Slug], async (slug): Promise<FormState & { jobId?: string }> => {
  const { actor, project } = await pageProject(slug, 'images.write');
  let jobId: string | undefined;
  const state = await refusalOf(async () => {
    jobId = (await requestLookalikes(database(), actor, project.id)).jobId;
  });
  return { ...state, jobId };
});

/** Filters are personal: everyone who can see images can save filters. */
const asOwner = async (slug: string) => {
  const { actor, project } = await pageProject(Slug.parse(slug), 'images.read');
  return { project, owner: { projectId: project.id, ownerId: actor.userId } };
};

export const save = action(
  [Slug, z.string().max(1000), ImageFilter],
  async (slug, name, filter): Promise<FormState> => {
    const { project, owner } = await asOwner(slug);
    const named = Name.safeParse(name);
    if (!named.success) return { error: named.error.issues[0]?.message };
    const state = await refusalOf(async () => {
      await saveFilter(database(), owner, { name: named.data, filter });
    });
    revalidatePath(`/projects/${project.slug}/images`);
    return state;
  },
);

export const rename = action([Slug, Id, z.string().max(1000)], async (slug, id, name): Promise<FormState> => {
  const { project, owner } = await asOwner(slug);
  const named = Name.safeParse(name);
  if (!named.success) return { error: named.error.issues[0]?.message };
  const state = await refusalOf(() => renameFilter(database(), owner, { id, name: named.data }));
  revalidatePath(`/projects/${project.slug}/images`);
  return state;
});

export const remove = action([Slug, Id], async (slug, id): Promise<FormState> => {
  const { project, owner } = await asOwner(slug);
  const state = await refusalOf(() => deleteFilter(database(), owner, id));
  revalidatePath(`/projects/${project.slug}/images`);
  return state;
});
