import { z } from 'zod';
import { uploadFileStates } from '@/db/schema';
import { TesseraError } from '@/lib/core/errors';
import { detectFormat, openUploadTree, serverBudget } from '@/lib/services/datasets/import/source-trees';
import { receiveFile } from '@/lib/services/images/ingest/receive-file';
import {
  finishUpload as finish,
  getUpload as get,
  listUploads as list,
  listUploadFiles as listFiles,
  requireUpload,
  startUpload as start,
  UploadOptions,
} from '@/lib/services/images/ingest/uploads';
import { storage } from '@/lib/services/storage';
import { endpoint } from '../_http/endpoint';
import { decodeCursor, id, idPosition, moment, pageOf, pageQuery, toPage } from '../_http/fields';
import { bodyStream } from '../_http/input';

const upload = '/api/v1/projects/{project}/uploads/{upload}';

const Guess = z.object({
  format: z.string(),
  name: z.string(),
  /** 0 to 1. */
  certainty: z.number(),
  /** What was seen in the files. */
  because: z.string(),
});

export const detectUpload = endpoint({
  method: 'GET',
  path: `${upload}/formats`,
  summary: 'The dataset formats that the files of an upload may be in, the surest first',
  output: z.object({
    guesses: z.array(Guess),
    /** The label files are too large to inspect here, so the import must name the format. */
    isTooLarge: z.boolean(),
  }),
  authorise: 'images.write',
  handler: async ({ db, access, params }) => {
    await requireUpload(db, { projectId: access.project.id, uploadId: params.upload });
    const tree = await openUploadTree(db, storage(), params.upload);
    try {
      return { guesses: await detectFormat(tree, serverBudget), isTooLarge: false };
    } catch (error) {
      if (error instanceof TesseraError && error.kind === 'too-large')
        return { guesses: [], isTooLarge: true };
      throw error;
    }
  },
});

const Upload = z.object({
  id,
  state: z.enum(['open', 'ingesting', 'done', 'cancelled']),
  jobId: id.nullable(),
  options: UploadOptions,
  createdAt: moment,
});

const Counts = z.object({
  files: z.number().int(),
  waiting: z.number().int(),
  accepted: z.number().int(),
  duplicate: z.number().int(),
  refused: z.number().int(),
  /** Archives and tables. */
  opened: z.number().int(),
});

const File = z.object({
  id,
  name: z.string(),
  state: z.enum(uploadFileStates),
  reason: z.string().nullable(),
  imageId: id.nullable(),
});

const uploads = '/api/v1/projects/{project}/uploads';

export const listUploads = endpoint({
  method: 'GET',
  path: uploads,
  summary: 'The uploads of a project, newest first',
  query: pageQuery,
  output: pageOf(Upload),
  authorise: 'images.read',
  handler: async ({ db, access, query: { limit, cursor } }) => {
    const after = decodeCursor(idPosition, cursor)?.[0];
    const rows = await list(db, { projectId: access.project.id, after, limit: limit + 1 });
    return toPage(
      rows.map((row) => ({ ...row, options: UploadOptions.parse(row.options) })),
      limit,
      (row) => [row.id],
    );
  },
});

export const startUpload = endpoint({
  method: 'POST',
  path: uploads,
  summary: 'Open an upload; then send files to it, then finish it',
  body: UploadOptions,
  output: Upload,
  status: 201,
  authorise: 'images.write',
  handler: async ({ db, actor, access, body }) => {
    const made = await start(db, actor, { projectId: access.project.id, options: body });
    return { ...made, options: UploadOptions.parse(made.options) };
  },
});

export const getUpload = endpoint({
  method: 'GET',
  path: upload,
  summary: 'An upload and how many of its files were accepted, known already, or refused',
  output: Upload.extend({ counts: Counts }),
  authorise: 'images.read',
  handler: async ({ db, access, params }) => {
    const found = await get(db, { projectId: access.project.id, uploadId: params.upload });
    return { ...found, options: UploadOptions.parse(found.options) };
  },
});

export const listUploadFiles = endpoint({
  method: 'GET',
  path: `${upload}/files`,
  summary: 'What became of each file, with the reason for those that were refused',
  query: pageQuery.extend({ state: z.enum(uploadFileStates).optional() }),
  output: pageOf(File),
  authorise: 'images.read',
  handler: async ({ db, access, params, query: { limit, cursor, state } }) => {
    await requireUpload(db, { projectId: access.project.id, uploadId: params.upload });
    const after = decodeCursor(idPosition, cursor)?.[0];
    const rows = await listFiles(db, { uploadId: params.upload, state, after, limit: limit + 1 });
    return toPage(rows, limit, (row) => [row.id]);
  },
});

export const sendFile = endpoint({
  method: 'PUT',
  path: `${upload}/files`,
  summary: 'Send one file, a picture, a ZIP or a CSV, as the body; sending it again does no harm',
  query: z.strictObject({ name: z.string().min(1).max(2000) }),
  body: { mediaType: 'application/octet-stream' },
  /** `file` is null for litter of a file manager, which is passed over. */
  output: z.object({ file: File.nullable() }),
  authorise: 'images.write',
  handler: async ({ db, access, params, query, request }) => {
    await requireUpload(db, { projectId: access.project.id, uploadId: params.upload });
    const length = Number(request.headers.get('content-length'));
    const source = bodyStream(request);
    const file = await receiveFile(db, storage(), {
      uploadId: params.upload,
      name: query.name,
      source,
      contentLength: Number.isFinite(length) ? length : undefined,
    });
    return { file };
  },
});

export const finishUpload = endpoint({
  method: 'POST',
  path: `${upload}/finish`,
  summary: 'Close the upload and start the job that turns its files into images',
  output: Upload,
  status: 202,
  authorise: 'images.write',
  handler: async ({ db, actor, access, params }) => {
    await requireUpload(db, { projectId: access.project.id, uploadId: params.upload });
    const closed = await finish(db, actor, { uploadId: params.upload });
    return { ...closed, options: UploadOptions.parse(closed.options) };
  },
});
