import { notFound } from 'next/navigation';
import type { NextRequest } from 'next/server';
import { csvResponse } from '@/app/_ui/table/csv-response';
import type { Statistics } from '@/lib/core/statistics';
import { pageVersion } from '../../version-header';
import { loadStatistics } from '../load-statistics';

type Context = { params: Promise<{ project: string; version: string }> };
type Cell = string | number | null;
interface Table {
  head: string[];
  rows: (found: Statistics) => Cell[][];
}

const tables: Record<string, Table> = {
  classes: {
    head: ['class', 'split', 'images'],
    rows: ({ classCounts, splits }) =>
      classCounts.flatMap(({ className, bySplit }) =>
        splits.map((split, at) => [className, split, bySplit[at] ?? 0]),
      ),
  },
  attributes: {
    head: ['class', 'split', 'attribute', 'forms', 'present'],
    rows: ({ formCounts, attributes }) =>
      formCounts.flatMap(({ className, split, n, present }) =>
        attributes.map(({ id }, at) => [className, split, id, n, present[at] ?? 0]),
      ),
  },
  parts: {
    head: ['part', 'class', 'split', 'present', 'instances', 'absent', 'not_asked'],
    rows: ({ partCounts }) =>
      partCounts.map((row) => [
        ...[row.part, row.className, row.split],
        ...[row.present, row.instances, row.absent, row.notAsked],
      ]),
  },
  objects: {
    head: ['class', 'split', 'objects', 'crowd_regions'],
    rows: ({ objectCounts }) =>
      objectCounts.map((row) => [row.className, row.split, row.objects, row.crowds]),
  },
  flags: {
    head: ['kind', 'id', 'flag', 'labels'],
    rows: ({ flagCounts }) => flagCounts.map((row) => [row.kind, row.id, row.flag, row.labels]),
  },
  sizes: {
    head: ['kind', 'id', 'masks', 'mean', 'p5', 'p25', 'median', 'p75', 'p95'],
    rows: ({ sizes }) =>
      sizes.map(({ kind, id, n, mean, quantiles: q }) => [
        kind,
        id,
        n,
        mean.value,
        ...[q.p5, q.p25, q.median, q.p75, q.p95].map(({ value }) => value),
      ]),
  },
  findings: {
    head: ['kind', 'finding', 'image', 'cases'],
    rows: ({ findings }) =>
      findings.flatMap(({ kind, id, examples }) =>
        examples.map(({ image, cases }) => [kind, id, image, cases.join('; ')]),
      ),
  },
};

/** Figures of a version as files: all as JSON, or one table as CSV. */
export async function GET(request: NextRequest, { params }: Context): Promise<Response> {
  const { project, version } = await params;
  const page = await pageVersion(project, version);
  const of = request.nextUrl.searchParams.get('of') ?? 'all';
  const table = Object.hasOwn(tables, of) ? tables[of] : undefined;
  const found = table || of === 'all' ? await loadStatistics(page) : null;
  if (!found) notFound();
  const name = `${page.access.project.slug}-v${page.version.number}-statistics`;
  if (!table)
    return new Response(JSON.stringify(found), {
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'content-disposition': `attachment; filename="${name}.json"`,
        'cache-control': 'no-store',
      },
    });
  return csvResponse(`${name}-${of}`, table.head, each(table.rows(found)));
}

async function* each<T>(rows: readonly T[]): AsyncGenerator<T> {
  yield* rows;
}
