import { z } from 'zod';
import { notFound } from '@/lib/core/errors';
import { addGuidePicture as addPicture, guidePictures, mostPictureBytes } from '@/lib/services/crowd/guide';
import { signBlobUrl, storage } from '@/lib/services/storage';
import { serveBlob } from '@/lib/services/storage/serve-blob';
import { endpoint } from '../../_http/endpoint';
import { readBytes } from '../../_http/input';

export const addGuidePicture = endpoint({
  method: 'POST',
  path: '/api/v1/projects/{project}/crowd/guide-pictures',
  summary: 'Add a picture to the guide; it is re-encoded, upright and without metadata',
  query: z.strictObject({ name: z.string().min(1).max(200) }),
  body: { mediaType: 'application/octet-stream' },
  output: z.object({ sha256: z.string(), width: z.number(), height: z.number(), url: z.string() }),
  status: 201,
  authorise: 'crowd.manage',
  handler: async ({ db, actor, access, query, request }) => {
    const bytes = await readBytes(request, mostPictureBytes);
    const picture = await addPicture(db, storage(), actor, {
      projectId: access.project.id,
      name: query.name,
      bytes,
    });
    return { ...picture, url: signBlobUrl(picture.sha256) };
  },
});

/** Seconds that a browser keeps a picture of the guide. */
const PICTURE_SECONDS = 3600;

export const getGuidePicture = endpoint({
  method: 'GET',
  path: '/api/v1/work/projects/{project}/guide-picture',
  summary: 'A picture of the guide of a project that you work in',
  query: z.strictObject({ sha256: z.string().regex(/^[0-9a-f]{64}$/) }),
  output: { mediaType: 'image/*' },
  authorise: 'work.read',
  handler: async ({ db, access, query: { sha256 }, request }) => {
    const pictures = await guidePictures(db, access.project.id);
    if (!pictures.has(sha256)) throw notFound('picture');
    return serveBlob(db, storage(), sha256, request, { maxAge: PICTURE_SECONDS });
  },
});
