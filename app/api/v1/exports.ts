import { z } from 'zod';
import { conflict } from '@/lib/core/errors';
import { formats } from '@/lib/core/formats';
import { startExport } from '@/lib/services/datasets/exports/export-jobs';
import { getExport, listExports } from '@/lib/services/datasets/exports/list-exports';
import { checkExport, describeOptions } from '@/lib/services/datasets/exports/open-export';
import { storage } from '@/lib/services/storage';
import { serveBlob } from '@/lib/services/storage/serve-blob';
import { endpoint } from '../_http/endpoint';
import { id, moment } from '../_http/fields';
import { projectOfExport, projectOfVersion } from './version-fields';

const Option = z.object({
  name: z.string(),
  says: z.string(),
  kind: z.enum(['choice', 'number', 'flag']),
  values: z.array(z.object({ value: z.string(), says: z.string() })).optional(),
  min: z.number().optional(),
  max: z.number().optional(),
  otherwise: z.union([z.string(), z.number(), z.boolean()]),
});

export const listFormats = endpoint({
  method: 'GET',
  path: '/api/v1/formats',
  summary: 'Formats that versions are exported to and datasets are imported from',
  output: z.object({
    items: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        summary: z.string(),
        kind: z.string(),
        imports: z.boolean(),
        options: z.array(Option),
      }),
    ),
  }),
  authorise: 'me.read',
  handler: async () => ({
    items: formats.map((format) => ({
      ...format,
      imports: format.reader !== null,
      options: describeOptions(format),
    })),
  }),
});

/** Values as a form or a script gives them; the format says what they may be. */
const Wanted = z.strictObject({
  format: z.string().min(1).max(80),
  options: z.record(z.string().max(80), z.union([z.string().max(200), z.number(), z.boolean()])).default({}),
});

const Problem = z.object({ what: z.string(), examples: z.array(z.string()), count: z.number().int() });

export const checkVersionExport = endpoint({
  method: 'POST',
  path: '/api/v1/versions/{version}/export-checks',
  summary: 'What a format would lose of a version, and what it refuses. Writes nothing',
  body: Wanted,
  output: z.object({ refusals: z.array(Problem), losses: z.array(z.string()) }),
  authorise: 'data.export',
  projectOf: projectOfVersion,
  handler: async ({ db, access, params: { version }, body }) => {
    const check = await checkExport(db, storage(), { projectId: access.project.id, version, ...body });
    return {
      refusals: check.refusals.map((each) => ({ ...each, examples: [...each.examples] })),
      losses: [...check.losses],
    };
  },
});

const Export = z.object({
  id,
  versionId: id,
  version: z.number().int(),
  format: z.string(),
  options: z.record(z.string(), z.unknown()),
  losses: z.array(z.string()),
  sha256: z.string().nullable(),
  bytes: z.number().int().nullable(),
  files: z.number().int().nullable(),
  jobId: id.nullable(),
  state: z.enum(['queued', 'running', 'retrying', 'done', 'failed', 'cancelled']),
  error: z.string().nullable(),
  by: z.string().nullable(),
  at: moment,
});

export const exportVersion = endpoint({
  method: 'POST',
  path: '/api/v1/versions/{version}/exports',
  summary: 'Write a version in a format, as a job; refused at once when the format cannot hold it',
  body: Wanted,
  output: z.object({ id, jobId: id }),
  status: 202,
  authorise: 'data.export',
  projectOf: projectOfVersion,
  handler: ({ db, actor, access, params: { version }, body }) =>
    startExport(db, storage(), actor, { projectId: access.project.id, version, ...body }),
});

export const listVersionExports = endpoint({
  method: 'GET',
  path: '/api/v1/versions/{version}/exports',
  summary: 'The exports of a version, newest first',
  output: z.object({ items: z.array(Export) }),
  authorise: 'project.read',
  projectOf: projectOfVersion,
  handler: async ({ db, access, params: { version } }) => ({
    items: await listExports(db, { projectId: access.project.id, versionId: version }),
  }),
});

export const readExport = endpoint({
  method: 'GET',
  path: '/api/v1/exports/{export}',
  summary: 'One export and how far it is',
  output: Export,
  authorise: 'project.read',
  projectOf: projectOfExport,
  handler: ({ db, access, params }) =>
    getExport(db, { projectId: access.project.id, exportId: params.export }),
});

export const downloadExport = endpoint({
  method: 'GET',
  path: '/api/v1/exports/{export}/file',
  summary: 'The zip of an export that is done; ranges are served, so that a broken download can be resumed',
  output: { mediaType: 'application/zip' },
  authorise: 'data.export',
  projectOf: projectOfExport,
  handler: async ({ db, access, params, request }) => {
    const found = await getExport(db, { projectId: access.project.id, exportId: params.export });
    if (!found.sha256) throw conflict('The export is not whole yet: wait for its job.');
    const response = await serveBlob(db, storage(), found.sha256, request);
    const name = `${access.project.slug}-v${found.version}-${found.format}.zip`;
    response.headers.set('content-disposition', `attachment; filename="${name}"`);
    return response;
  },
});
