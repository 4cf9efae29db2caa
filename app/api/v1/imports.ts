import { z } from 'zod';
import { Mapping, writeMapping } from '@/lib/core/formats/mapping';
import { readImportReport } from '@/lib/services/datasets/import/import-report';
import { canAdoptSchema, canImportLabels } from '@/lib/services/datasets/import/import-upload';
import { planUploadImport } from '@/lib/services/datasets/import/plan-upload';
import { deleteMapping, listMappings, saveMapping } from '@/lib/services/datasets/import/saved-mappings';
import { chooseFormat, openUploadTree, serverBudget } from '@/lib/services/datasets/import/source-trees';
import { finishUpload, requireUpload } from '@/lib/services/images/ingest/uploads';
import { storage } from '@/lib/services/storage';
import { endpoint } from '../_http/endpoint';
import { id, moment } from '../_http/fields';

const upload = '/api/v1/projects/{project}/uploads/{upload}';
const mappings = '/api/v1/projects/{project}/import-mappings';

/** Mappings of datasets with thousands of categories. */
const MAX_BODY_BYTES = 4 * 1024 * 1024;

const mappingFields = {
  /** What the categories mean. Left out: the proposal of the plan. */
  mapping: Mapping.optional(),
  /** The class that all parts belong to, for the proposal. */
  className: z.string().min(1).max(80).optional(),
};

const Plan = z.object({
  format: z.string(),
  formatName: z.string(),
  because: z.string(),
  mapping: Mapping,
  /** The mapping as a file for `tessera import --map`. */
  yaml: z.string(),
  schema: z.record(z.string(), z.unknown()),
  categories: z.array(
    z.object({
      category: z.string(),
      target: z.string(),
      reason: z.string(),
      annotations: z.number().int(),
      /** Annotations that have no mask and cannot be imported. */
      unreadable: z.number().int(),
      images: z.number().int(),
      maxPerImage: z.number().int(),
      samples: z.array(z.string()),
    }),
  ),
  images: z.number().int(),
  /** False if only the first images were read. */
  isComplete: z.boolean(),
  totals: z.object({
    annotations: z.number().int(),
    imported: z.number().int(),
    skipped: z.number().int(),
  }),
  folders: z.array(z.string()),
  fields: z.array(z.string()),
  remarks: z.array(z.string()),
  previews: z.array(
    z.object({
      path: z.string(),
      className: z.string().nullable(),
      split: z.string().nullable(),
      /** JPEG as a data URL, or null if the picture cannot be shown. */
      picture: z.string().nullable(),
      problem: z.string().nullable(),
      width: z.number().int(),
      height: z.number().int(),
    }),
  ),
});

export const planUpload = endpoint({
  method: 'POST',
  path: `${upload}/plan`,
  summary:
    'What an import of the files as a dataset would do: the meaning of each category, totals and previews',
  body: z.strictObject({
    /** Left out: the surest guess. */
    format: z.string().min(1).max(80).optional(),
    ...mappingFields,
    previews: z.boolean().default(true),
  }),
  bodyLimit: MAX_BODY_BYTES,
  output: Plan,
  authorise: 'images.write',
  handler: async ({ db, access, params, body }) => {
    const projectId = access.project.id;
    await requireUpload(db, { projectId, uploadId: params.upload });
    const plan = await planUploadImport(db, storage(), { projectId, uploadId: params.upload, ...body });
    const previews = plan.previews.map(({ picture, ...preview }) => ({
      ...preview,
      picture: picture && `data:image/jpeg;base64,${picture.toString('base64')}`,
    }));
    return { ...plan, yaml: writeMapping(plan.mapping), previews };
  },
});

export const importUpload = endpoint({
  method: 'POST',
  path: `${upload}/import`,
  summary: 'Close the upload and start the job that brings its files in as a dataset, labels and all',
  body: z.strictObject({
    /** Left out: the surest guess. */
    format: z.string().min(1).max(80).optional(),
    ...mappingFields,
  }),
  bodyLimit: MAX_BODY_BYTES,
  output: z.object({ id, jobId: id, format: z.string() }),
  status: 202,
  authorise: 'images.write',
  handler: async ({ db, actor, access, params, body }) => {
    const projectId = access.project.id;
    await canImportLabels(db, actor, projectId);
    await requireUpload(db, { projectId, uploadId: params.upload });
    const tree = await openUploadTree(db, storage(), params.upload);
    const { mapping, className } = body;
    const { format } = await chooseFormat(tree, body.format ?? mapping?.format, serverBudget);
    const dataset = {
      format: format.id,
      mapping,
      className,
      mayAdopt: await canAdoptSchema(db, actor, projectId),
    };
    const { jobId } = await finishUpload(db, actor, { uploadId: params.upload, dataset });
    return { id: params.upload, jobId, format: format.id };
  },
});

/** The report of an import, by the job that the import started. */
export const downloadImportReport = endpoint({
  method: 'GET',
  path: `${upload}/report`,
  summary: 'What became of the annotations of each category, as CSV, after the import',
  output: { mediaType: 'text/csv' },
  authorise: 'images.read',
  handler: async ({ db, access, params }) => {
    const csv = await readImportReport(db, { projectId: access.project.id, uploadId: params.upload });
    return new Response(csv, {
      headers: {
        'content-type': 'text/csv; charset=utf-8',
        'content-disposition': 'attachment; filename="import-report.csv"',
      },
    });
  },
});

const Saved = z.object({ id, name: z.string(), mapping: Mapping, createdAt: moment });
const name = z.string().trim().min(1).max(80);

export const listImportMappings = endpoint({
  method: 'GET',
  path: mappings,
  summary: 'Mappings for imports that people saved in the project, by name',
  output: z.object({ items: z.array(Saved) }),
  authorise: 'images.read',
  handler: async ({ db, access }) => ({ items: await listMappings(db, access.project.id) }),
});

export const saveImportMapping = endpoint({
  method: 'POST',
  path: mappings,
  summary: 'Save a mapping for imports; one of the same name is replaced',
  body: z.strictObject({ name, mapping: Mapping }),
  bodyLimit: MAX_BODY_BYTES,
  output: Saved,
  authorise: 'images.write',
  handler: ({ db, actor, access, body }) => saveMapping(db, actor, { projectId: access.project.id, ...body }),
});

export const deleteImportMapping = endpoint({
  method: 'DELETE',
  path: `${mappings}/{mapping}`,
  summary: 'Delete a saved mapping',
  output: null,
  authorise: 'images.write',
  handler: ({ db, access, params }) =>
    deleteMapping(db, { projectId: access.project.id, id: params.mapping }),
});
