import type { Metadata } from 'next';
import Link from 'next/link';
import { can } from '@/app/_shell/can';
import { ButtonLink } from '@/app/_ui/button';
import { EmptyState } from '@/app/_ui/empty-state';
import { Page, PageHeader } from '@/app/_ui/page-header';
import { Panel } from '@/app/_ui/panel';
import { SmallTable } from '@/app/_ui/table';
import { database } from '@/db';
import { formatDateTime, formatNumber } from '@/lib/core/format';
import { pageProject } from '@/lib/services/access/page';
import { listSlices } from '@/lib/services/images/slices';
import { DeleteSlice } from './delete-slice';

export const metadata: Metadata = { title: 'Slices' };

type Props = PageProps<'/projects/[project]/evaluations/slices'>;

const linkStyle = 'underline-offset-2 hover:underline';

export default async function Slices({ params }: Props) {
  const access = await pageProject((await params).project);
  const { project } = access;
  const home = `/projects/${project.slug}`;
  const slices = await listSlices(database(), { projectId: project.id });
  const mayDelete = can('evaluations.write', access);
  return (
    <Page>
      <PageHeader
        title="Slices"
        description="Saved sets of images, usually selected in the gallery of an evaluation. Use a slice to filter images, the audit queue or a freeze."
      />
      <Panel title="Slices" flush>
        {slices.length === 0 ? (
          <EmptyState
            title="No slices yet"
            action={
              <ButtonLink variant="primary" href={`${home}/evaluations`}>
                Go to evaluations
              </ButtonLink>
            }
          >
            Open an evaluation, select images in its gallery and create a slice.
          </EmptyState>
        ) : (
          <SmallTable
            caption="Slices"
            rows={slices}
            rowKey={({ id }) => id}
            empty={null}
            columns={[
              {
                key: 'name',
                title: 'Name',
                cell: ({ id, name }) => (
                  <Link href={`${home}/images?slice=${id}`} className={`font-medium ${linkStyle}`}>
                    {name}
                  </Link>
                ),
              },
              { key: 'images', title: 'Images', numeric: true, cell: ({ images }) => formatNumber(images) },
              {
                key: 'evaluation',
                title: 'Source',
                cell: ({ evaluationId }) =>
                  evaluationId ? (
                    <Link href={`${home}/evaluations/${evaluationId}`} className={linkStyle}>
                      an evaluation
                    </Link>
                  ) : (
                    '–'
                  ),
              },
              { key: 'by', title: 'By', cell: ({ by }) => by ?? '–' },
              {
                key: 'at',
                title: 'When, UTC',
                className: 'whitespace-nowrap tabular-nums',
                cell: ({ at }) => formatDateTime(at),
              },
              ...(mayDelete
                ? [
                    {
                      key: 'delete',
                      title: 'Actions',
                      untitled: true,
                      cell: ({ id, name }: (typeof slices)[number]) => (
                        <DeleteSlice slug={project.slug} id={id} name={name} />
                      ),
                    },
                  ]
                : []),
            ]}
          />
        )}
      </Panel>
    </Page>
  );
}
