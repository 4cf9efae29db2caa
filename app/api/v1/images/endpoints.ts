import { z } from 'zod';
import { itemStates, stageKinds } from '@/db/schema';
import { farthest, findNearDuplicates } from '@/lib/images/find-near-duplicates';
import { getImage as get } from '@/lib/images/get-image';
import { listImages as list } from '@/lib/images/list-images';
import { requestDerivatives } from '@/lib/images/request-derivatives';
import { endpoint } from '../../_http/endpoint';
import { id, moment } from '../../_http/fields';
import { decodeCursor, encodeCursor, idPosition, pageOf, pageQuery } from '../../_http/pagination';

const states = z.enum(['active', 'excluded', 'broken']);
/** A link that needs no key and stops working within two hours. */
const File = z.object({ url: z.string(), width: z.number().int(), height: z.number().int() });

const ListedImage = z.object({
  id,
  name: z.string(),
  className: z.string().nullable(),
  width: z.number().int(),
  height: z.number().int(),
  state: states,
  notes: z.array(z.string()),
  createdAt: moment,
  /** Null until it is made. */
  thumbnail: File.nullable(),
});

const Image = ListedImage.extend({
  wnid: z.string().nullable(),
  groupKey: z.string().nullable(),
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
  history: z.array(z.object({ at: moment, by: z.string().nullable(), text: z.string() })),
});

/** What a filter for images without a class says. */
const noClass = '-';

export const listImages = endpoint({
  method: 'GET',
  path: '/api/v1/projects/{project}/images',
  summary: 'The images of a project in the order they came; `class=-` for those without a class',
  query: pageQuery.extend({
    class: z.string().max(80).optional(),
    state: states.optional(),
    text: z.string().max(120).optional(),
    upload: id.optional(),
  }),
  output: pageOf(ListedImage).extend({ total: z.number().int(), isTotalCapped: z.boolean() }),
  authorise: 'images.read',
  handler: async ({ db, access, query }) => {
    const projectId = access.project.id;
    const page = await list(db, {
      projectId,
      className: query.class === noClass ? null : query.class,
      state: query.state,
      text: query.text,
      uploadId: query.upload,
      after: decodeCursor(idPosition, query.cursor)?.[0],
      limit: query.limit,
    });
    if (page.images.some((image) => image.thumbnail === null && image.state !== 'broken'))
      await requestDerivatives(db, projectId);
    const { images, total, isTotalCapped } = page;
    return { items: images, next: page.next && encodeCursor([page.next]), total, isTotalCapped };
  },
});

export const getImage = endpoint({
  method: 'GET',
  path: '/api/v1/projects/{project}/images/{image}',
  summary: 'One image with links to its files, its questions and labels, and its history',
  output: Image,
  authorise: 'images.read',
  handler: async ({ db, access, params }) => {
    const image = await get(db, { projectId: access.project.id, imageId: params.image });
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
    distance: z.coerce.number().int().min(0).max(farthest).default(farthest),
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
