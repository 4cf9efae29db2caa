import { Readable } from 'node:stream';
import type { NextRequest } from 'next/server';
import { csvResponse } from '@/app/_ui/table/csv-response';
import { database } from '@/db';
import { seesPeople } from '@/lib/services/access';
import { pageProject } from '@/lib/services/access/page';
import { type AuditFilter, type AuditRow, allAudit } from '@/lib/services/activity';
import { readActivityFilter } from '../read-activity-filter';

const head = ['id', 'at', 'actor', 'actor_id', 'verb', 'subject', 'subject_id', 'detail', 'request_id'];

async function* cells(filter: AuditFilter) {
  for await (const row of allAudit(database(), filter)) {
    const { id, createdAt, actor, actorId, verb, subject, subjectId, detail, requestId } = row;
    yield [id, createdAt, actor, actorId, verb, subject, subjectId, JSON.stringify(detail), requestId];
  }
}

const lineOf = ({ projectId: _, createdAt, ...row }: AuditRow) =>
  `${JSON.stringify({ ...row, at: createdAt.toISOString() })}\n`;

async function* lines(filter: AuditFilter) {
  for await (const row of allAudit(database(), filter)) yield lineOf(row);
}

type Context = { params: Promise<{ project: string }> };

/** All that the filter of the page leaves, sent as it is read: CSV, or JSON lines with `as=jsonl`. */
export async function GET(request: NextRequest, { params }: Context): Promise<Response> {
  const { project, actor } = await pageProject((await params).project, 'activity.read');
  const withoutPeople = !(await seesPeople(database(), actor, project.id));
  const query = Object.fromEntries(request.nextUrl.searchParams);
  const filter = { ...readActivityFilter(query), withoutPeople, projectId: project.id };
  const name = `${project.slug}-activity`;
  if (query.as !== 'jsonl') return csvResponse(name, head, cells(filter));
  return new Response(Readable.toWeb(Readable.from(lines(filter), { objectMode: true })) as ReadableStream, {
    headers: {
      'content-type': 'application/x-ndjson; charset=utf-8',
      'content-disposition': `attachment; filename="${name}.jsonl"`,
      'cache-control': 'no-store',
    },
  });
}
