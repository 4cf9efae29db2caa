import { Snowflake } from 'lucide-react';
import type { Metadata } from 'next';
import { ButtonLink } from '@/app/_ui/button';
import { EmptyState } from '@/app/_ui/empty-state';
import { Page, PageHeader } from '@/app/_ui/page-header';
import { Panel } from '@/app/_ui/panel';
import { CsvLink, Pager } from '@/app/_ui/table';
import { database } from '@/db';
import { pageProject } from '@/lib/services/access/page';
import { listVersions } from '@/lib/services/datasets/versions/list-versions';
import { may } from './may';
import { VersionTable } from './version-table';

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
  const freeze = may('data.freeze', access) && (
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
          <EmptyState title="Nothing is frozen yet" action={freeze}>
            A version writes down the images, their accepted labels, the schema and a split as they are at one
            moment. Training, evaluations and exports need one, so that what a paper reports can be made again
            when the project has moved on. Freeze as often as you like: what did not change gives the same
            version.
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
