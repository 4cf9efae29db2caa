import { z } from 'zod';
import { addGuidePicture as addPicture, mostPictureBytes } from '@/lib/crowd/guide';
import { signBlobUrl, storage } from '@/lib/storage';
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
