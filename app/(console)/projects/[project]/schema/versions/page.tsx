import type { Metadata } from 'next';
import Link from 'next/link';
import { Button, ButtonLink } from '@/app/_ui/button';
import { Select } from '@/app/_ui/forms';
import { Page, PageHeader } from '@/app/_ui/page-header';
import { Panel } from '@/app/_ui/panel';
import { SmallTable } from '@/app/_ui/table';
import { database } from '@/db';
import { formatDateTime, formatNumber } from '@/lib/core/format';
import { schemaChange } from '@/lib/core/schema';
import { pageProject } from '@/lib/services/access/page';
import { type ListedVersion, listVersions } from '@/lib/services/projects/schema';
import { ChangeTable } from '../change-table';

export const metadata: Metadata = { title: 'Versions of the schema' };

type Props = PageProps<'/projects/[project]/schema/versions'>;

export default async function Versions({ params, searchParams }: Props) {
  const { project } = await pageProject((await params).project);
  const query = await searchParams;
  const versions = await listVersions(database(), project.id);
  const path = `/projects/${project.slug}/schema`;
  const numbered = (value: unknown) => versions.find(({ number }) => String(number) === value);
  const to = numbered(query.to) ?? (versions[0] as ListedVersion);
  const from = numbered(query.from) ?? versions.find(({ number }) => number === to.number - 1) ?? to;
  const options = versions.map(({ number }) => ({ value: String(number), label: `version ${number}` }));
  return (
    <Page>
      <PageHeader
        title="Versions of the schema"
        description={`A version never changes. What was answered keeps the version it was asked under.${versions.length > 1 ? '' : ' Saving in the editor makes the next one; then any two can be compared here.'}`}
        action={<ButtonLink href={path}>Back to the schema</ButtonLink>}
      />
      <Panel title="Versions" flush>
        <VersionTable versions={versions} path={path} slug={project.slug} />
      </Panel>
      {versions.length > 1 && (
        <Panel
          title={`Version ${from.number} → version ${to.number}`}
          flush
          actions={
            <form action={`${path}/versions`} className="flex items-center gap-2">
              <Select
                name="from"
                aria-label="From"
                options={options}
                defaultValue={String(from.number)}
                className="w-32"
              />
              <Select
                name="to"
                aria-label="To"
                options={options}
                defaultValue={String(to.number)}
                className="w-32"
              />
              <Button type="submit">Compare</Button>
            </form>
          }
        >
          <ChangeTable changes={schemaChange(from.document, to.document)} />
        </Panel>
      )}
    </Page>
  );
}

function VersionTable({ versions, path, slug }: { versions: ListedVersion[]; path: string; slug: string }) {
  return (
    <SmallTable
      caption="Versions"
      rows={versions}
      rowKey={({ number }) => String(number)}
      empty={null}
      columns={[
        { key: 'number', title: 'Version', numeric: true, className: 'w-20', cell: ({ number }) => number },
        { key: 'at', title: 'Saved, UTC', cell: ({ createdAt }) => formatDateTime(createdAt) },
        { key: 'by', title: 'By', cell: ({ by }) => by ?? '–' },
        {
          key: 'classes',
          title: 'Classes',
          numeric: true,
          cell: (row) => formatNumber(row.document.classes.length),
        },
        {
          key: 'attributes',
          title: 'Attributes',
          numeric: true,
          cell: (row) => formatNumber(row.document.attributes.length),
        },
        {
          key: 'parts',
          title: 'Parts',
          numeric: true,
          cell: (row) => formatNumber(row.document.parts.length),
        },
        {
          key: 'compare',
          title: 'Compare',
          cell: ({ number }) =>
            number > 1 && (
              <Link
                className="text-accent underline"
                href={`${path}/versions?from=${number - 1}&to=${number}`}
              >
                with version {number - 1}
              </Link>
            ),
        },
        {
          key: 'file',
          title: 'File',
          cell: ({ number }) => (
            <a
              className="text-accent underline"
              href={`/api/v1/projects/${slug}/schema?version=${number}`}
              download={`${slug}-schema-${number}.json`}
            >
              JSON
            </a>
          ),
        },
      ]}
    />
  );
}
