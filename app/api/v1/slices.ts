import { sql } from 'drizzle-orm';
import { z } from 'zod';
import type { ProjectAccess, UserActor } from '@/lib/services/access';
import { deleteFilter, listFilters, renameFilter, saveFilter } from '@/lib/services/images/filters';
import { MAX_PICKED } from '@/lib/services/images/image-change';
import { ImageFilter } from '@/lib/services/images/image-filter';
import { deleteSlice, listSlices, makeSlice, SliceName } from '@/lib/services/images/slices';
import { endpoint } from '../_http/endpoint';
import { id, moment } from '../_http/fields';

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

export const listProjectSlices = endpoint({
  method: 'GET',
  path: '/api/v1/projects/{project}/slices',
  summary: 'Images that people picked, newest slice first',
  output: z.object({
    items: z.array(
      z.object({
        id,
        name: z.string(),
        images: z.number().int(),
        evaluationId: id.nullable(),
        by: z.string().nullable(),
        at: moment,
      }),
    ),
  }),
  authorise: 'images.read',
  handler: async ({ db, access }) => ({ items: await listSlices(db, { projectId: access.project.id }) }),
});

export const makeProjectSlice = endpoint({
  method: 'POST',
  path: '/api/v1/projects/{project}/slices',
  summary: 'Make a slice of images of the project',
  body: z.strictObject({ name: SliceName, images: z.array(id).min(1).max(MAX_PICKED) }),
  output: z.object({ id, name: z.string(), images: z.number().int() }),
  status: 201,
  authorise: 'evaluations.write',
  handler: ({ db, actor, access, body }) =>
    makeSlice(db, actor, {
      projectId: access.project.id,
      name: body.name,
      of: sql`select unnest(${sql.param(body.images)}::uuid[])`,
    }),
});

export const deleteProjectSlice = endpoint({
  method: 'DELETE',
  path: '/api/v1/projects/{project}/slices/{slice}',
  summary: 'Delete a slice; its images stay',
  output: null,
  authorise: 'evaluations.write',
  handler: ({ db, actor, access, params }) =>
    deleteSlice(db, actor, { projectId: access.project.id, sliceId: params.slice }),
});
