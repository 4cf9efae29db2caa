import { eq } from 'drizzle-orm';
import { z } from 'zod';
import { type Db, tables } from '@/db';
import { notFound } from '@/lib/errors';
import { storage } from '@/lib/storage';
import { serveBlob } from '@/lib/storage/serve-blob';
import { changeModel } from '@/lib/training/models/change-model';
import { getModel, listModelFiles, listModels } from '@/lib/training/models/list-models';
import { endpoint } from '../../_http/endpoint';
import { id, moment } from '../../_http/fields';

const states = ['registered', 'promoted', 'archived'] as const;

const Model = z.object({
  id,
  name: z.string(),
  state: z.enum(states),
  contract: z.record(z.string(), z.unknown()),
  sha256: z.string(),
  runId: id.nullable(),
  run: z.string().nullable(),
  version: z.number().int().nullable(),
  evaluations: z.number().int(),
  by: z.string().nullable(),
  at: moment,
});

async function projectOfModel(db: Db, { model }: { model: string }): Promise<string | undefined> {
  const [row] = await db
    .select({ projectId: tables.models.projectId })
    .from(tables.models)
    .where(eq(tables.models.id, model));
  return row?.projectId;
}

export const listProjectModels = endpoint({
  method: 'GET',
  path: '/api/v1/projects/{project}/models',
  summary: 'The models of a project, newest first',
  output: z.object({ items: z.array(Model) }),
  authorise: 'project.read',
  handler: async ({ db, access }) => ({ items: await listModels(db, access.project.id) }),
});

export const readModel = endpoint({
  method: 'GET',
  path: '/api/v1/models/{model}',
  summary: 'One model with its contract and files',
  output: Model.extend({
    files: z.array(z.object({ kind: z.string(), sha256: z.string(), bytes: z.number().int() })),
  }),
  authorise: 'project.read',
  projectOf: projectOfModel,
  handler: async ({ db, access, params: { model } }) => ({
    ...(await getModel(db, { projectId: access.project.id, modelId: model })),
    files: await listModelFiles(db, model),
  }),
});

export const changeModelState = endpoint({
  method: 'PATCH',
  path: '/api/v1/models/{model}',
  summary: 'Promote a model, archive it, or bring it back',
  body: z.strictObject({ state: z.enum(states) }),
  output: null,
  authorise: 'models.write',
  projectOf: projectOfModel,
  handler: ({ db, actor, access, params: { model }, body }) =>
    changeModel(db, actor, { projectId: access.project.id, modelId: model, ...body }),
});

export const downloadModel = endpoint({
  method: 'GET',
  path: '/api/v1/models/{model}/file',
  summary: 'The ONNX file of a model, or another file of it by its kind',
  query: z.object({ kind: z.string().max(200).optional() }),
  output: { mediaType: 'application/octet-stream' },
  authorise: 'data.export',
  projectOf: projectOfModel,
  handler: async ({ db, access, params: { model }, query: { kind }, request }) => {
    const found = await getModel(db, { projectId: access.project.id, modelId: model });
    const file = kind ? (await listModelFiles(db, model)).find((each) => each.kind === kind) : found;
    if (!file) throw notFound('file');
    const response = await serveBlob(db, storage(), file.sha256, request);
    const name = kind ? (kind.split('/').at(-1) ?? 'file') : 'model.onnx';
    response.headers.set('content-disposition', `attachment; filename="${name.replace(/[^\w.-]/g, '_')}"`);
    return response;
  },
});
