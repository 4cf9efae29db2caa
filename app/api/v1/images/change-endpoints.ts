import { z } from 'zod';
import { changeImages as change } from '@/lib/services/images/change-images';
import { ImageChange, ImageScope } from '@/lib/services/images/image-change';
import { keepLookalike, listLookalikes as list } from '@/lib/services/images/list-lookalikes';
import { requestLookalikes } from '@/lib/services/images/lookalikes';
import { endpoint } from '../../_http/endpoint';
import { id } from '../../_http/fields';
import { decodeCursor, encodeCursor, idPosition, pageOf, pageQuery } from '../../_http/pagination';
import { ListedImage } from './fields';

const Changed = z.object({
  total: z.number().int(),
  /** Null when a job does it. */
  counts: z
    .object({
      images: z.number().int(),
      changed: z.number().int(),
      same: z.number().int(),
      kept: z.number().int(),
    })
    .nullable(),
  jobId: id.nullable(),
});

export const changeImages = endpoint({
  method: 'POST',
  path: '/api/v1/projects/{project}/images/changes',
  summary: 'Set the class or group of images, exclude, restore or delete them; more than 200 as a job',
  body: z.strictObject({ change: ImageChange, scope: ImageScope }),
  output: Changed,
  authorise: 'images.write',
  handler: ({ db, actor, access, body }) => change(db, actor, { projectId: access.project.id, ...body }),
});

export const listLookalikes = endpoint({
  method: 'GET',
  path: '/api/v1/projects/{project}/images/lookalikes',
  summary: 'Groups of images that look alike, with more than one in use',
  query: pageQuery,
  output: pageOf(
    z.object({ id, size: z.number().int(), active: z.number().int(), images: z.array(ListedImage) }),
  ).extend({ open: z.number().int() }),
  authorise: 'images.read',
  handler: async ({ db, access, query }) => {
    const after = decodeCursor(idPosition, query.cursor)?.[0];
    const { groups, next, open } = await list(db, {
      projectId: access.project.id,
      after,
      limit: query.limit,
    });
    return { items: groups, next: next && encodeCursor([next]), open };
  },
});

export const findLookalikes = endpoint({
  method: 'POST',
  path: '/api/v1/projects/{project}/images/lookalikes',
  summary: 'Have the images of a project compared with each other, as a job',
  output: z.object({ jobId: id }),
  status: 202,
  authorise: 'images.write',
  handler: ({ db, actor, access }) => requestLookalikes(db, actor, access.project.id),
});

export const keepImage = endpoint({
  method: 'POST',
  path: '/api/v1/projects/{project}/images/{image}/keep',
  summary: 'Of a group of images that look alike, keep this one and exclude the others',
  output: Changed,
  authorise: 'images.write',
  handler: ({ db, actor, access, params }) =>
    keepLookalike(db, actor, { projectId: access.project.id, imageId: params.image }),
});
