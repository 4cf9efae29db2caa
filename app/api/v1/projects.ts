import { z } from 'zod';
import { projectStates, roles, stageKinds } from '@/db/schema';
import { type Locale, locales } from '@/lib/core/i18n/locales';
import { DatasetSchema } from '@/lib/core/schema';
import { schemaPresets } from '@/lib/core/schema/presets';
import {
  archiveProject as archive,
  createProject as create,
  getProject as get,
  listProjects as list,
  restoreProject as restore,
  updateProject as update,
} from '@/lib/services/projects';
import { endpoint } from '../_http/endpoint';
import { decodeCursor, id, idPosition, moment, pageOf, pageQuery, toPage } from '../_http/fields';

const Counts = z.object({
  images: z.number().int(),
  items: z.object({ open: z.number().int(), settled: z.number().int() }),
  people: z.object({ curator: z.number().int(), researcher: z.number().int(), worker: z.number().int() }),
  jobs: z.object({ active: z.number().int(), failed: z.number().int() }),
});

const Project = z.object({
  id,
  slug: z.string(),
  name: z.string(),
  description: z.string(),
  state: z.enum(projectStates),
  isDemo: z.boolean(),
  /** In which the texts of the project are written. */
  language: z.string(),
  createdAt: moment,
  updatedAt: moment,
});

const ListedProject = Project.extend({
  /** Your roles in it; empty when you see it as an admin. */
  roles: z.array(z.enum(roles)),
  counts: Counts,
});

const ProjectDetails = ListedProject.extend({
  schemaNumber: z.number().int().nullable(),
  /** Classes, attributes, groups and parts, as in the presets. */
  schema: z.record(z.string(), z.unknown()).nullable(),
  stages: z.array(
    z.object({
      id,
      kind: z.enum(stageKinds),
      name: z.string(),
      position: z.number().int(),
      state: z.enum(['open', 'paused', 'closed']),
    }),
  ),
});

const name = z.string().trim().min(1).max(120);
const description = z.string().max(5_000);

const NewProject = z
  .strictObject({
    name,
    slug: z
      .string()
      .regex(/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/, 'letters a-z, digits and hyphens, at most 63')
      .optional(),
    description: description.default(''),
    preset: z.enum(schemaPresets.map((preset) => preset.id) as [string, ...string[]]).optional(),
    /** Instead of a preset. */
    schema: DatasetSchema.optional(),
  })
  .refine(
    ({ preset, schema }) => (preset === undefined) !== (schema === undefined),
    'Pass a preset or a schema.',
  );

const ProjectChange = z
  .strictObject({
    name: name.optional(),
    description: description.optional(),
    /** In which the texts of the project are written. */
    language: z.enum(locales as [Locale, ...Locale[]]).optional(),
    state: z.enum(['collecting', 'paused', 'finished']).optional(),
  })
  .refine((change) => Object.keys(change).length > 0, 'Say what to change.');

export const listProjects = endpoint({
  method: 'GET',
  path: '/api/v1/projects',
  summary: 'The projects you can see, newest first, with counts',
  query: pageQuery.extend({ archived: z.enum(['true', 'false']).default('false') }),
  output: pageOf(ListedProject),
  authorise: { inQuery: 'project.read' },
  handler: async ({ db, actor, query: { limit, cursor, archived } }) => {
    const before = decodeCursor(idPosition, cursor)?.[0];
    const rows = await list(db, actor, { limit: limit + 1, before, withArchived: archived === 'true' });
    return toPage(rows, limit, (row) => [row.id]);
  },
});

export const createProject = endpoint({
  method: 'POST',
  path: '/api/v1/projects',
  summary: 'Make a project from a schema preset, or from a schema',
  body: NewProject,
  output: Project,
  status: 201,
  authorise: 'project.create',
  handler: ({ db, actor, body }) => create(db, actor, body),
});

export const getProject = endpoint({
  method: 'GET',
  path: '/api/v1/projects/{project}',
  summary: 'One project with its schema, stages and counts',
  output: ProjectDetails,
  authorise: 'project.read',
  handler: async ({ db, access }) => ({ ...(await get(db, access.project.id)), roles: access.roles }),
});

export const updateProject = endpoint({
  method: 'PATCH',
  path: '/api/v1/projects/{project}',
  summary: 'Change name, description, language or state',
  body: ProjectChange,
  output: Project,
  authorise: 'project.write',
  handler: ({ db, actor, access, body }) => update(db, actor, access.project.id, body),
});

export const archiveProject = endpoint({
  method: 'POST',
  path: '/api/v1/projects/{project}/archive',
  summary: 'Put the project away: it can be read and exported, not changed',
  output: Project,
  authorise: 'project.archive',
  handler: ({ db, actor, access }) => archive(db, actor, access.project.id),
});

export const restoreProject = endpoint({
  method: 'POST',
  path: '/api/v1/projects/{project}/restore',
  summary: 'Take the project out of the archive; it is paused then',
  output: Project,
  authorise: 'project.restore',
  handler: ({ db, actor, access }) => restore(db, actor, access.project.id),
});
