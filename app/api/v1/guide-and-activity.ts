import { z } from 'zod';
import { notFound } from '@/lib/core/errors';
import { seesPeople } from '@/lib/services/access';
import { listAudit } from '@/lib/services/activity';
import { addGuidePicture as addPicture, guidePictures, mostPictureBytes } from '@/lib/services/crowd/guide';
import { signBlobUrl, storage } from '@/lib/services/storage';
import { serveBlob } from '@/lib/services/storage/serve-blob';
import { endpoint } from '../_http/endpoint';
import { decodeCursor, id, idPosition, moment, pageOf, pageQuery, toPage } from '../_http/fields';
import { readBytes } from '../_http/input';

const given = z.iso
  .datetime({ offset: true })
  .transform((text) => new Date(text))
  .optional();
const word = z.string().max(200).optional();

const Entry = z.object({
  id,
  at: moment,
  actor: z.string(),
  actorId: id.nullable(),
  verb: z.string(),
  subject: z.string(),
  subjectId: z.string().nullable(),
  detail: z.record(z.string(), z.unknown()),
  requestId: z.string().nullable(),
});

export const listActivity = endpoint({
  method: 'GET',
  path: '/api/v1/projects/{project}/activity',
  summary: 'Who did what and when, newest first',
  query: pageQuery.extend({ actor: word, verb: word, subject: word, from: given, until: given }),
  output: pageOf(Entry),
  authorise: 'activity.read',
  handler: async ({ db, actor, access, query: { limit, cursor, ...filter } }) => {
    const before = decodeCursor(idPosition, cursor)?.[0];
    const projectId = access.project.id;
    const withoutPeople = !(await seesPeople(db, actor, projectId));
    const rows = await listAudit(db, { ...filter, withoutPeople, projectId, before, limit: limit + 1 });
    return toPage(
      rows.map(({ createdAt, ...row }) => ({ ...row, at: createdAt })),
      limit,
      (row) => [row.id],
    );
  },
});

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
