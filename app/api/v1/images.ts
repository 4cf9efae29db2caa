import { z } from 'zod';
import { itemStates, stageKinds } from '@/db/schema';
import { notFound } from '@/lib/core/errors';
import { isAllowed, type ProjectAccess, type UserActor } from '@/lib/services/access';
import { changeImages as change } from '@/lib/services/images/change-images';
import { requestDerivatives } from '@/lib/services/images/derivatives';
import { getImage as get } from '@/lib/services/images/get-image';
import { ImageChange, ImageScope } from '@/lib/services/images/image-change';
import { ImageFilter } from '@/lib/services/images/image-filter';
import { readImageOutlines } from '@/lib/services/images/image-outlines';
import { listImages as list, listPageEnds, readImages } from '@/lib/services/images/list-images';
import { keepLookalike, listLookalikes as lookalikes } from '@/lib/services/images/list-lookalikes';
import { findNearDuplicates, MAX_DISTANCE, requestLookalikes } from '@/lib/services/images/lookalikes';
import { endpoint } from '../_http/endpoint';
import { decodeCursor, encodeCursor, id, idPosition, moment, pageOf, pageQuery } from '../_http/fields';

const states = z.enum(['active', 'excluded', 'broken']);
/** A link that needs no key and stops working within two hours. */
const File = z.object({ url: z.string(), width: z.number().int(), height: z.number().int() });

const ListedImage = z.object({
  id,
  name: z.string(),
  className: z.string().nullable(),
  groupKey: z.string().nullable(),
  width: z.number().int(),
  height: z.number().int(),
  state: states,
  notes: z.array(z.string()),
  createdAt: moment,
  /** The first image of those that look alike, itself included; null when none does or nobody compared them. */
  lookalikeOf: id.nullable(),
  /** How many of its questions have a label. */
  labels: z.number().int(),
  /** Null until it is made. */
  thumbnail: File.nullable(),
});

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
    const { groups, next, open } = await lookalikes(db, {
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

const Image = ListedImage.omit({ labels: true }).extend({
  wnid: z.string().nullable(),
  columns: z.record(z.string(), z.string()),
  original: File,
  working: File.nullable(),
  items: z.array(
    z.object({
      id,
      stage: z.string(),
      stageKind: z.enum(stageKinds),
      target: z.string(),
      state: z.enum(itemStates),
      overlap: z.number().int(),
      answered: z.number().int(),
      label: z
        .object({
          id,
          value: z.record(z.string(), z.unknown()),
          mask: z.string().nullable(),
          area: z.number().int().nullable(),
          source: z.string(),
          confidence: z.number(),
          createdAt: moment,
        })
        .nullable(),
    }),
  ),
  history: z.array(z.object({ at: moment, kind: z.string(), by: z.string().nullable(), text: z.string() })),
});

const seesWorkers = (actor: UserActor, { roles }: ProjectAccess): boolean =>
  isAllowed('crowd.read', { isAdmin: actor.isAdmin, roles, scopes: actor.scopes });

/** Whose work an image holds is for those who may see the crowd. */
function requireVisible(filter: ImageFilter, actor: UserActor, access: ProjectAccess): void {
  if (filter.worker && !seesWorkers(actor, access)) throw notFound('worker');
}

export const listImages = endpoint({
  method: 'GET',
  path: '/api/v1/projects/{project}/images',
  summary: 'The images of a project in the order they came; `class=-` for those without a class',
  query: pageQuery.extend({
    ...ImageFilter.shape,
    /** The last image of the page, for who knows where it ends. */
    until: id.optional(),
    /** `no` leaves the total out, which makes long lists quicker to page through. */
    total: z.enum(['yes', 'no']).default('yes'),
  }),
  output: pageOf(ListedImage).extend({
    total: z.number().int().optional(),
    /** The total stops counting here. */
    isTotalCapped: z.boolean().optional(),
  }),
  authorise: 'images.read',
  handler: async ({ db, actor, access, query: { cursor, limit, until, total, ...filter } }) => {
    requireVisible(filter, actor, access);
    const projectId = access.project.id;
    const after = decodeCursor(idPosition, cursor)?.[0];
    const input = { ...filter, projectId, after, until, limit };
    const { images, next, ...counted } = await (total === 'yes' ? list : readImages)(db, input);
    if (images.some((image) => image.thumbnail === null && image.state !== 'broken'))
      await requestDerivatives(db, projectId);
    return { items: images, next: next && encodeCursor([next]), ...counted };
  },
});

export const listImagePages = endpoint({
  method: 'GET',
  path: '/api/v1/projects/{project}/images/pages',
  summary: 'How many images a filter leaves and the last image of each page of 200, to begin anywhere',
  query: ImageFilter,
  output: z.object({ total: z.number().int(), size: z.number().int(), ends: z.array(id) }),
  authorise: 'images.read',
  handler: async ({ db, actor, access, query }) => {
    requireVisible(query, actor, access);
    return listPageEnds(db, { projectId: access.project.id, filter: query });
  },
});

export const listOutlines = endpoint({
  method: 'GET',
  path: '/api/v1/projects/{project}/images/outlines',
  summary:
    'The masks of up to 100 images (`ids`, separated by commas) as outlines of the size of a thumbnail',
  query: z.strictObject({
    ids: z
      .string()
      .max(100 * 37)
      .transform((text) => text.split(','))
      .pipe(z.array(id).max(100)),
  }),
  output: z.object({
    images: z.array(
      z.object({
        imageId: id,
        width: z.number().int(),
        height: z.number().int(),
        outlines: z.array(z.object({ id, colour: z.string(), path: z.string() })),
      }),
    ),
  }),
  authorise: 'images.read',
  handler: async ({ db, access, query }) => ({
    images: await readImageOutlines(db, { projectId: access.project.id, imageIds: query.ids }),
  }),
});

export const getImage = endpoint({
  method: 'GET',
  path: '/api/v1/projects/{project}/images/{image}',
  summary: 'One image with links to its files, its questions and labels, and its history',
  output: Image,
  authorise: 'images.read',
  handler: async ({ db, actor, access, params }) => {
    const namesWorkers = seesWorkers(actor, access);
    const image = await get(db, { projectId: access.project.id, imageId: params.image, namesWorkers });
    if (!image.thumbnail || !image.working) await requestDerivatives(db, access.project.id);
    return image;
  },
});

export const listNearDuplicates = endpoint({
  method: 'GET',
  path: '/api/v1/projects/{project}/images/near-duplicates',
  summary: 'Pairs of images that look alike, the most alike first',
  query: z.strictObject({
    /** Bits of 64 in which their perceptual hashes may differ. */
    distance: z.coerce.number().int().min(0).max(MAX_DISTANCE).default(MAX_DISTANCE),
    limit: z.coerce.number().int().min(1).max(1000).default(100),
  }),
  output: z.object({
    pairs: z.array(
      z.object({
        imageId: id,
        name: z.string(),
        otherId: id,
        otherName: z.string(),
        distance: z.number().int(),
      }),
    ),
  }),
  authorise: 'images.read',
  handler: async ({ db, access, query }) => ({
    pairs: await findNearDuplicates(db, { projectId: access.project.id, ...query }),
  }),
});
