import { z } from 'zod';
import { TesseraError } from '@/lib/core/errors';
import { canAdoptSchema, canImportLabels } from '@/lib/services/datasets/import/import-upload';
import {
  chooseFormat,
  detectFormat,
  openUploadTree,
  serverBudget,
} from '@/lib/services/datasets/import/source-trees';
import { finishUpload, requireUpload } from '@/lib/services/images/ingest/uploads';
import { storage } from '@/lib/services/storage';
import { endpoint } from '../../_http/endpoint';
import { id } from '../../_http/fields';

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
    /** The label files cost too much to look at here: whoever imports has to say the format. */
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

export const importUpload = endpoint({
  method: 'POST',
  path: `${upload}/import`,
  summary: 'Close the upload and start the job that brings its files in as a dataset, labels and all',
  body: z.strictObject({
    /** Left out: the surest guess. */
    format: z.string().min(1).max(80).optional(),
  }),
  output: z.object({ id, jobId: id, format: z.string() }),
  status: 202,
  authorise: 'images.write',
  handler: async ({ db, actor, access, params, body }) => {
    const projectId = access.project.id;
    await canImportLabels(db, actor, projectId);
    await requireUpload(db, { projectId, uploadId: params.upload });
    const tree = await openUploadTree(db, storage(), params.upload);
    const { format } = await chooseFormat(tree, body.format, serverBudget);
    const dataset = { format: format.id, mayAdopt: await canAdoptSchema(db, actor, projectId) };
    const { jobId } = await finishUpload(db, actor, { uploadId: params.upload, dataset });
    return { id: params.upload, jobId, format: format.id };
  },
});
