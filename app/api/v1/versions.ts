import { z } from 'zod';
import { Statements } from '@/lib/core/croissant';
import { TesseraError } from '@/lib/core/errors';
import { storeSplitTable } from '@/lib/services/datasets/freeze/assign-splits';
import { startFreeze } from '@/lib/services/datasets/freeze/freeze-version';
import { planFreeze } from '@/lib/services/datasets/freeze/plan';
import { FreezeRequest } from '@/lib/services/datasets/freeze/request';
import { diffVersions } from '@/lib/services/datasets/versions/diff-versions';
import { getVersion, listVersions } from '@/lib/services/datasets/versions/list-versions';
import {
  describeVersion,
  listNotes,
  noteVersion,
  stateAboutVersion,
  Tag,
  tagVersion,
  untagVersion,
} from '@/lib/services/datasets/versions/mark-version';
import { startVerification } from '@/lib/services/datasets/versions/verify-version';
import { readStatistics, startStatistics } from '@/lib/services/datasets/versions/version-statistics';
import { storage } from '@/lib/services/storage';
import { serveBlob } from '@/lib/services/storage/serve-blob';
import { endpoint } from '../_http/endpoint';
import { id, moment } from '../_http/fields';
import { bodyStream } from '../_http/input';
import { projectOfVersion, Version } from './version-fields';

export const listProjectVersions = endpoint({
  method: 'GET',
  path: '/api/v1/projects/{project}/versions',
  summary: 'The frozen versions of a project, newest first; or the one that a name means',
  query: z.object({
    /** `latest`, a number, a tag, or the beginning of a hash. */
    name: z.string().min(1).max(80).optional(),
    before: z.coerce.number().int().min(1).optional(),
  }),
  output: z.object({ items: z.array(Version) }),
  authorise: 'project.read',
  handler: async ({ db, access, query: { name, before } }) => {
    const projectId = access.project.id;
    if (!name) return { items: await listVersions(db, { projectId, before }) };
    try {
      return { items: [await getVersion(db, { projectId, version: name })] };
    } catch (error) {
      if (error instanceof TesseraError && error.kind === 'not-found') return { items: [] };
      throw error;
    }
  },
});

const LeakSide = z.object({
  imageId: id,
  name: z.string(),
  split: z.string(),
  thumbnail: z.string().nullable(),
});

export const planVersion = endpoint({
  method: 'POST',
  path: '/api/v1/projects/{project}/versions/plan',
  summary: 'What freezing would give: counts by class and split, leaks, warnings. Freezes nothing',
  body: FreezeRequest,
  output: z.object({
    images: z.number().int(),
    unlabelled: z.number().int(),
    splits: z.array(z.string()),
    classes: z.array(
      z.object({
        className: z.string().nullable(),
        bySplit: z.record(z.string(), z.number().int()),
        total: z.number().int(),
      }),
    ),
    leaks: z.object({
      total: z.number().int(),
      pairs: z.array(
        z.object({ why: z.enum(['same file', 'looks alike', 'same group']), a: LeakSide, b: LeakSide }),
      ),
    }),
    warnings: z.array(z.string()),
  }),
  authorise: 'data.freeze',
  handler: ({ db, access, body }) =>
    planFreeze(db, storage(), { projectId: access.project.id, request: body }),
});

export const freezeProject = endpoint({
  method: 'POST',
  path: '/api/v1/projects/{project}/versions',
  summary: 'Freeze a version; the job’s result names it',
  body: FreezeRequest,
  output: z.object({ jobId: id }),
  status: 202,
  authorise: 'data.freeze',
  handler: ({ db, actor, access, body }) =>
    startFreeze(db, actor, { projectId: access.project.id, request: body }),
});

export const addSplitTable = endpoint({
  method: 'POST',
  path: '/api/v1/projects/{project}/split-tables',
  summary: 'Keep a table of image names and splits',
  body: { mediaType: 'text/csv' },
  output: z.object({ sha256: z.string(), rows: z.number().int(), splits: z.array(z.string()) }),
  status: 201,
  authorise: 'data.freeze',
  handler: ({ db, request }) => storeSplitTable(db, storage(), request.body && bodyStream(request)),
});

export const readVersion = endpoint({
  method: 'GET',
  path: '/api/v1/versions/{version}',
  summary: 'A version with its card and notes',
  output: Version.extend({
    notes: z.array(
      z.object({
        id,
        text: z.string(),
        supersededBy: z.number().int().nullable(),
        by: z.string().nullable(),
        at: moment,
      }),
    ),
  }),
  authorise: 'project.read',
  projectOf: projectOfVersion,
  handler: async ({ db, access, params: { version } }) => ({
    ...(await getVersion(db, { projectId: access.project.id, version })),
    notes: await listNotes(db, version),
  }),
});

export const describe = endpoint({
  method: 'PATCH',
  path: '/api/v1/versions/{version}',
  summary: 'Change the description or the statements of a version; the frozen content does not change',
  body: z
    .strictObject({ description: z.string().trim().max(4000), statements: Statements })
    .partial()
    .refine((body) => Object.keys(body).length > 0, 'Give a description or statements.'),
  output: null,
  authorise: 'data.freeze',
  projectOf: projectOfVersion,
  handler: async ({ db, actor, access, params: { version }, body: { description, statements } }) => {
    const which = { projectId: access.project.id, version };
    if (description !== undefined) await describeVersion(db, actor, { ...which, description });
    if (statements) await stateAboutVersion(db, actor, { ...which, statements });
  },
});

export const addTag = endpoint({
  method: 'POST',
  path: '/api/v1/versions/{version}/tags',
  summary: 'Give a version a tag; it moves here from another version',
  body: z.strictObject({ tag: Tag }),
  output: null,
  authorise: 'data.freeze',
  projectOf: projectOfVersion,
  handler: ({ db, actor, access, params: { version }, body }) =>
    tagVersion(db, actor, { projectId: access.project.id, version, ...body }),
});

export const removeTag = endpoint({
  method: 'DELETE',
  path: '/api/v1/versions/{version}/tags',
  summary: 'Take a tag from a version',
  query: z.object({ tag: z.string().min(1).max(40) }),
  output: null,
  authorise: 'data.freeze',
  projectOf: projectOfVersion,
  handler: ({ db, actor, access, params: { version }, query }) =>
    untagVersion(db, actor, { projectId: access.project.id, version, ...query }),
});

export const addNote = endpoint({
  method: 'POST',
  path: '/api/v1/versions/{version}/notes',
  summary: 'Note what was found out about a version, and which one supersedes it',
  body: z.strictObject({
    text: z.string().trim().max(4000).default(''),
    supersededBy: z.string().min(1).max(80).optional(),
  }),
  output: null,
  authorise: 'data.freeze',
  projectOf: projectOfVersion,
  handler: ({ db, actor, access, params: { version }, body }) =>
    noteVersion(db, actor, { projectId: access.project.id, version, ...body }),
});

const Counts = z.object({
  added: z.number().int(),
  removed: z.number().int(),
  changed: z.number().int(),
  same: z.number().int(),
});

export const compareVersions = endpoint({
  method: 'GET',
  path: '/api/v1/versions/{version}/diff',
  summary: 'What changed from another version of the project to this one',
  query: z.object({ from: z.string().min(1).max(80) }),
  output: z.object({
    images: Counts,
    labels: Counts,
    facts: z.array(z.object({ image: z.string(), what: z.string(), from: z.string(), to: z.string() })),
    meanIou: z.object({ value: z.number(), n: z.number().int() }).nullable(),
    addedImages: z.array(z.string()),
    removedImages: z.array(z.string()),
    changes: z.array(
      z.object({
        image: z.string(),
        target: z.string(),
        kind: z.enum(['added', 'removed', 'changed']),
        iou: z.number().nullable(),
        words: z.string(),
      }),
    ),
  }),
  authorise: 'project.read',
  projectOf: projectOfVersion,
  handler: ({ db, access, params: { version }, query: { from } }) =>
    diffVersions(db, storage(), { projectId: access.project.id, from, to: version }),
});

export const verifyVersion = endpoint({
  method: 'POST',
  path: '/api/v1/versions/{version}/verification',
  summary: 'Read a version again and check every hash, as a job',
  output: z.object({ jobId: id }),
  status: 202,
  authorise: 'data.check',
  projectOf: projectOfVersion,
  handler: ({ db, actor, access, params: { version } }) =>
    startVerification(db, actor, { projectId: access.project.id, version }),
});

export const readVersionStatistics = endpoint({
  method: 'GET',
  path: '/api/v1/versions/{version}/statistics',
  summary: 'Statistics of a version; null before they were computed',
  output: z.object({ statistics: z.record(z.string(), z.unknown()).nullable() }),
  authorise: 'project.read',
  projectOf: projectOfVersion,
  handler: async ({ db, params: { version } }) => ({
    statistics: (await readStatistics(db, version)) as Record<string, unknown> | null,
  }),
});

export const computeVersionStatistics = endpoint({
  method: 'POST',
  path: '/api/v1/versions/{version}/statistics',
  summary: 'Compute the statistics of a version, as a job; no job when they are there',
  output: z.object({ jobId: id.nullable() }),
  status: 202,
  authorise: 'data.check',
  projectOf: projectOfVersion,
  handler: ({ db, actor, access, params: { version } }) =>
    startStatistics(db, actor, { projectId: access.project.id, version }),
});

export const readManifest = endpoint({
  method: 'GET',
  path: '/api/v1/versions/{version}/manifest',
  summary: 'The manifest of a version, one image in a line; its sha256 is the version’s hash',
  output: { mediaType: 'application/x-ndjson' },
  authorise: 'data.export',
  projectOf: projectOfVersion,
  handler: async ({ db, access, params: { version }, request }) => {
    const { hash } = await getVersion(db, { projectId: access.project.id, version });
    return serveBlob(db, storage(), hash, request);
  },
});
