import { sql } from 'drizzle-orm';
import { z } from 'zod';
import { MAX_PICKED } from '@/lib/services/images/image-change';
import { deleteSlice, listSlices, makeSlice, SliceName } from '@/lib/services/images/slices';
import { endpoint } from '../../_http/endpoint';
import { id, moment } from '../../_http/fields';

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
