import { Snowflake } from 'lucide-react';
import type { Metadata } from 'next';
import Link from 'next/link';
import { can } from '@/app/_shell/can';
import { Badge } from '@/app/_ui/badge';
import { ButtonLink } from '@/app/_ui/button';
import { EmptyState } from '@/app/_ui/empty-state';
import { Page, PageHeader } from '@/app/_ui/page-header';
import { Panel } from '@/app/_ui/panel';
import { CsvLink, Pager, SmallTable } from '@/app/_ui/table';
import { database } from '@/db';
import { formatDateTime, formatNumber } from '@/lib/core/format';
import { pageProject } from '@/lib/services/access/page';
import { listVersions, type VersionSummary } from '@/lib/services/datasets/versions/list-versions';
import { splitBrief, splitCounts } from './split-table';

export const metadata: Metadata = { title: 'Data' };

type Props = PageProps<'/projects/[project]/data'>;

const PAGE = 50;

export default async function Data({ params, searchParams }: Props) {
  const access = await pageProject((await params).project);
  const { project } = access;
  const query = await searchParams;
  const before = Number(query.after) || undefined;
  const found = await listVersions(database(), { projectId: project.id, before, limit: PAGE + 1 });
  const versions = found.slice(0, PAGE);
  const path = `/projects/${project.slug}/data`;
  const freeze = can('data.freeze', access) && (
    <ButtonLink variant="primary" href={`${path}/freeze`} icon={<Snowflake aria-hidden />}>
      Freeze version
    </ButtonLink>
  );
  const isEmpty = versions.length === 0 && before === undefined;
  return (
    <Page>
      <PageHeader
        title="Data"
        description="Frozen versions of the project: images, labels, schema and split that never change and can be cited by their hash."
        action={!isEmpty && freeze}
      />
      <Panel title="Versions" actions={versions.length > 0 && <CsvLink href={`${path}/csv`} />} flush>
        {isEmpty ? (
          <EmptyState title="No versions yet" action={freeze}>
            A version is a permanent record of the images, their accepted labels, the schema and a split.
            Training, evaluations and exports use a version, so that published results can be reproduced after
            the project has changed. Freezing again without changes returns the same version.
          </EmptyState>
        ) : (
          <VersionTable versions={versions} path={path} />
        )}
        {(found.length > PAGE || before !== undefined) && (
          <Pager
            path={path}
            query={query}
            shown={versions.length}
            next={found.length > PAGE ? String(versions.at(-1)?.number) : undefined}
          />
        )}
      </Panel>
    </Page>
  );
}

function VersionTable({ versions, path }: { versions: VersionSummary[]; path: string }) {
  return (
    <SmallTable
      caption="Versions"
      rows={versions}
      rowKey={({ id }) => id}
      empty={null}
      columns={[
        {
          key: 'number',
          title: 'Version',
          className: 'whitespace-nowrap',
          cell: ({ number, tags, supersededBy }) => (
            <span className="inline-flex items-center gap-2">
              <Link href={`${path}/${number}`} className="font-medium underline-offset-2 hover:underline">
                Version {number}
              </Link>
              {tags.map((tag) => (
                <Badge key={tag}>{tag}</Badge>
              ))}
              {supersededBy !== null && <Badge tone="warn">superseded by {supersededBy}</Badge>}
            </span>
          ),
        },
        {
          key: 'hash',
          title: 'Hash',
          cell: ({ hash }) => (
            <span title={hash} className="font-mono text-xs text-ink-2">
              {hash.slice(0, 12)}
            </span>
          ),
        },
        { key: 'images', title: 'Images', numeric: true, cell: ({ images }) => formatNumber(images) },
        { key: 'labels', title: 'Labels', numeric: true, cell: ({ labels }) => formatNumber(labels) },
        {
          key: 'classes',
          title: 'Classes',
          numeric: true,
          cell: ({ card }) => formatNumber(Object.keys(card.counts.byClass).filter(Boolean).length),
        },
        {
          key: 'split',
          title: 'Split',
          className: 'whitespace-nowrap tabular-nums',
          cell: ({ card }) => (
            <span title={splitCounts(card.counts.bySplit)}>{splitBrief(card.counts.bySplit)}</span>
          ),
        },
        {
          key: 'description',
          title: 'Description',
          cell: ({ description }) => (
            <span className="line-clamp-1 max-w-96 min-w-24 wrap-anywhere">{description || '–'}</span>
          ),
        },
        { key: 'exports', title: 'Exports', numeric: true, cell: ({ exports }) => formatNumber(exports) },
        { key: 'by', title: 'By', className: 'whitespace-nowrap', cell: ({ by }) => by ?? '–' },
        {
          key: 'at',
          title: 'When, UTC',
          className: 'whitespace-nowrap tabular-nums',
          cell: ({ at }) => formatDateTime(at),
        },
      ]}
    />
  );
}
