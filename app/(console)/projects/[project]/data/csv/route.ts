import { csvResponse } from '@/app/_ui/table/csv-response';
import { database } from '@/db';
import { pageProject } from '@/lib/services/access/page';
import { listVersions } from '@/lib/services/datasets/versions/list-versions';
import { splitCounts } from '../split-table';

type Context = { params: Promise<{ project: string }> };

const PAGE = 200;
const head = [
  'version',
  'hash',
  'tags',
  'images',
  'labels',
  'split',
  'licence',
  'description',
  'superseded_by',
  'by',
  'at',
];

/** All versions of a project as CSV, loaded page by page. */
export async function GET(_: Request, { params }: Context): Promise<Response> {
  const { project } = await pageProject((await params).project);
  const rows = async function* () {
    for (let before: number | undefined; ; ) {
      const page = await listVersions(database(), { projectId: project.id, before, limit: PAGE });
      for (const each of page)
        yield [
          each.number,
          each.hash,
          each.tags.join(' '),
          each.images,
          each.labels,
          splitCounts(each.card.counts.bySplit),
          each.licence,
          each.description,
          each.supersededBy,
          each.by,
          each.at,
        ];
      if (page.length < PAGE) return;
      before = page.at(-1)?.number;
    }
  };
  return csvResponse(`${project.slug}-versions`, head, rows());
}
