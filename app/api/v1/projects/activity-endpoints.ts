import { z } from 'zod';
import { seesPeople } from '@/lib/services/access/authorise';
import { listAudit } from '@/lib/services/activity';
import { endpoint } from '../../_http/endpoint';
import { id, moment } from '../../_http/fields';
import { decodeCursor, idPosition, pageOf, pageQuery, toPage } from '../../_http/pagination';

const given = z.iso
  .datetime({ offset: true })
  .transform((text) => new Date(text))
  .optional();
const word = z.string().max(200).optional();

const Entry = z.object({
  id,
  at: moment,
  actor: z.string(),
  actorId: id.nullable(),
  verb: z.string(),
  subject: z.string(),
  subjectId: z.string().nullable(),
  detail: z.record(z.string(), z.unknown()),
  requestId: z.string().nullable(),
});

export const listActivity = endpoint({
  method: 'GET',
  path: '/api/v1/projects/{project}/activity',
  summary: 'Who did what and when, newest first',
  query: pageQuery.extend({ actor: word, verb: word, subject: word, from: given, until: given }),
  output: pageOf(Entry),
  authorise: 'activity.read',
  handler: async ({ db, actor, access, query: { limit, cursor, ...filter } }) => {
    const before = decodeCursor(idPosition, cursor)?.[0];
    const projectId = access.project.id;
    const withoutPeople = !(await seesPeople(db, actor, projectId));
    const rows = await listAudit(db, { ...filter, withoutPeople, projectId, before, limit: limit + 1 });
    return toPage(
      rows.map(({ createdAt, ...row }) => ({ ...row, at: createdAt })),
      limit,
      (row) => [row.id],
    );
  },
});
