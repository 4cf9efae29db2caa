import { z } from 'zod';
import {
  archiveProject as archive,
  createProject as create,
  getProject as get,
  listProjects as list,
  restoreProject as restore,
  updateProject as update,
} from '@/lib/services/projects';
import { endpoint } from '../../_http/endpoint';
import { decodeCursor, idPosition, pageOf, pageQuery, toPage } from '../../_http/pagination';
import { ListedProject, NewProject, Project, ProjectChange, ProjectDetails } from './fields';

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
  summary: 'Make a project from a schema preset',
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
