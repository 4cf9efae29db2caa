import { z } from 'zod';
import { DatasetSchema } from '@/lib/core/schema';
import {
  schemaEffects as effects,
  getVersion,
  listVersions,
  readSchema,
  saveSchema as save,
} from '@/lib/services/projects/schema';
import { endpoint } from '../_http/endpoint';
import { id, moment } from '../_http/fields';

/** Bytes: 200 entries of each kind with long definitions. */
const SCHEMA_BYTES = 2_000_000;

/** A bigint as text: JSON has no other. */
const micro = z.preprocess((value) => String(value), z.string());

export const getSchema = endpoint({
  method: 'GET',
  path: '/api/v1/projects/{project}/schema',
  summary:
    'The schema as a JSON document that can be imported elsewhere: the newest version, or an older one',
  query: z.strictObject({ version: z.coerce.number().int().min(1).max(1_000_000).optional() }),
  output: DatasetSchema,
  authorise: 'project.read',
  handler: async ({ db, access, query }) => (await getVersion(db, access.project.id, query.version)).document,
});

export const listSchemaVersions = endpoint({
  method: 'GET',
  path: '/api/v1/projects/{project}/schema/versions',
  summary: 'The versions of the schema, newest first',
  output: z.array(z.object({ number: z.number().int(), createdAt: moment, by: z.string().nullable() })),
  authorise: 'project.read',
  handler: ({ db, access }) => listVersions(db, access.project.id),
});

export const saveSchema = endpoint({
  method: 'PUT',
  path: '/api/v1/projects/{project}/schema',
  summary: 'Save a new version; 409 when another one was saved since the version you started from',
  body: z.strictObject({
    from: z.number().int().min(1),
    schema: z.unknown(),
    askAgain: z.boolean().default(false),
  }),
  bodyLimit: SCHEMA_BYTES,
  output: z.object({
    number: z.number().int(),
    /** The job that applies the version to many images; null when that is done. */
    jobId: id.nullable(),
  }),
  authorise: 'schema.write',
  handler: ({ db, actor, access, body }) =>
    save(db, actor, {
      projectId: access.project.id,
      from: body.from,
      document: body.schema,
      askAgain: body.askAgain,
    }),
});

export const schemaEffects = endpoint({
  method: 'POST',
  path: '/api/v1/projects/{project}/schema/effects',
  summary: 'What saving this schema would do to the labels that exist; changes nothing',
  body: z.strictObject({ schema: z.unknown() }),
  bodyLimit: SCHEMA_BYTES,
  output: z.object({
    currency: z.string(),
    asked: z.array(
      z.object({ stage: z.string(), target: z.string(), questions: z.number().int(), amountMicro: micro }),
    ),
    setAside: z.array(
      z.object({
        target: z.string(),
        className: z.string().nullable(),
        questions: z.number().int(),
        labels: z.number().int(),
        gold: z.number().int(),
      }),
    ),
    restored: z.number().int(),
    forms: z.object({ again: z.number().int(), all: z.number().int(), amountMicro: micro }),
    kept: z.number().int(),
    withoutClass: z.number().int(),
  }),
  authorise: 'schema.write',
  handler: async ({ db, access, body }) => {
    const { document } = await getVersion(db, access.project.id);
    return effects(db, access.project.id, document, readSchema(body.schema));
  },
});
