import type { NextRequest } from 'next/server';
import { csvResponse } from '@/app/_ui/table/csv-response';
import { database } from '@/db';
import { pageProject } from '@/lib/services/access/page';
import { listGold } from '@/lib/services/curation/gold';
import { readGoldFilter } from '../read-gold-filter';

const PAGE = 200;

const head = [
  'id',
  'stage',
  'target',
  'image',
  'class',
  'state',
  'people',
  'passed',
  'low',
  'high',
  'n',
  'drifted',
  'author',
  'confirmed_by',
  'created_at',
];

type Context = { params: Promise<{ project: string }> };

/** All gold that the page's filter lets through, with how it fared. */
export async function GET(request: NextRequest, { params }: Context): Promise<Response> {
  const { project } = await pageProject((await params).project, 'gold.read');
  const filter = readGoldFilter(Object.fromEntries(request.nextUrl.searchParams));
  async function* rows() {
    let after: string | undefined;
    do {
      const page = await listGold(database(), { ...filter, projectId: project.id, after, limit: PAGE });
      for (const each of page.gold) {
        const { passed, author, confirmedBy } = each;
        const figures = [passed?.value ?? null, passed?.low ?? null, passed?.high ?? null, passed?.n ?? 0];
        yield [
          ...[each.id, each.stage, each.target, each.image, each.className, each.state, each.exposures],
          ...[...figures, each.hasDrifted, author, confirmedBy, each.createdAt],
        ];
      }
      after = page.next ?? undefined;
    } while (after !== undefined);
  }
  return csvResponse(`${project.slug}-gold`, head, rows());
}
