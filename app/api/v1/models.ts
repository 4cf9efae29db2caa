import { eq } from 'drizzle-orm';
import { z } from 'zod';
import { type Db, tables } from '@/db';
import { modelKinds } from '@/db/schema';
import { notFound } from '@/lib/core/errors';
import { startAddModel } from '@/lib/services/evaluations/uploads/add-model';
import { createReceipt, ModelUpload, storeModelFile } from '@/lib/services/evaluations/uploads/model-upload';
import { storage } from '@/lib/services/storage';
import { serveBlob } from '@/lib/services/storage/serve-blob';
import { changeModel, getModel, listModelFiles, listModels } from '@/lib/services/training/models';
import { endpoint } from '../_http/endpoint';
import { id, moment } from '../_http/fields';
import { bodyStream } from '../_http/input';

const states = ['registered', 'promoted', 'archived'] as const;

const Model = z.object({
  id,
  name: z.string(),
  kind: z.enum(modelKinds),
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

export const sendModelFile = endpoint({
  method: 'POST',
  path: '/api/v1/projects/{project}/model-files',
  summary: 'Send a file of a model as the body; the answer is a receipt by which a new model names it',
  body: { mediaType: 'application/octet-stream' },
  output: z.object({ receipt: z.string(), sha256: z.string(), bytes: z.number().int() }),
  status: 201,
  authorise: 'models.write',
  handler: async ({ db, access, request }) => {
    const length = Number(request.headers.get('content-length'));
    const source = bodyStream(request);
    const kept = await storeModelFile(db, storage(), source, Number.isFinite(length) ? length : undefined);
    return { ...kept, receipt: createReceipt(access.project.id, kept.sha256) };
  },
});

export const addProjectModel = endpoint({
  method: 'POST',
  path: '/api/v1/projects/{project}/models',
  summary:
    'Check a model that was made elsewhere and enter it; the job’s log says line by line what was found, its result names the model',
  body: ModelUpload,
  output: z.object({ jobId: id }),
  status: 202,
  authorise: 'models.write',
  handler: ({ db, actor, access, body }) =>
    startAddModel(db, actor, { projectId: access.project.id, asked: body }),
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
