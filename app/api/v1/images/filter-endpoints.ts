import { z } from 'zod';
import type { UserActor } from '@/lib/services/access';
import type { ProjectAccess } from '@/lib/services/access/authorise';
import { deleteFilter, listFilters, renameFilter, saveFilter } from '@/lib/services/images/filters';
import { ImageFilter } from '@/lib/services/images/image-filter';
import { endpoint } from '../../_http/endpoint';
import { id } from '../../_http/fields';

const name = z.string().trim().min(1).max(80);
const Saved = z.object({ id, name: z.string(), filter: ImageFilter });

/** Everybody has filters of their own: those of others are not there. */
const ownerOf = (actor: UserActor, access: ProjectAccess) => ({
  projectId: access.project.id,
  ownerId: actor.userId,
});

export const listSavedFilters = endpoint({
  method: 'GET',
  path: '/api/v1/projects/{project}/filters',
  summary: 'The filters that you saved in a project',
  output: z.object({ filters: z.array(Saved) }),
  authorise: 'images.read',
  handler: async ({ db, actor, access }) => ({ filters: await listFilters(db, ownerOf(actor, access)) }),
});

export const createSavedFilter = endpoint({
  method: 'POST',
  path: '/api/v1/projects/{project}/filters',
  summary: 'Save a filter of images under a name; one of the same name is replaced',
  body: z.strictObject({ name, filter: ImageFilter }),
  output: Saved,
  status: 201,
  authorise: 'filters.write',
  handler: ({ db, actor, access, body }) => saveFilter(db, ownerOf(actor, access), body),
});

export const renameSavedFilter = endpoint({
  method: 'PATCH',
  path: '/api/v1/projects/{project}/filters/{filter}',
  summary: 'Give a filter that you saved another name',
  body: z.strictObject({ name }),
  output: null,
  authorise: 'filters.write',
  handler: ({ db, actor, access, params, body }) =>
    renameFilter(db, ownerOf(actor, access), { id: params.filter, name: body.name }),
});

export const deleteSavedFilter = endpoint({
  method: 'DELETE',
  path: '/api/v1/projects/{project}/filters/{filter}',
  summary: 'Delete a filter that you saved',
  output: null,
  authorise: 'filters.write',
  handler: ({ db, actor, access, params }) => deleteFilter(db, ownerOf(actor, access), params.filter),
});
