import type { Metadata } from 'next';
import { ButtonLink } from '@/app/_ui/button';
import { EmptyState } from '@/app/_ui/empty-state';
import { Page, PageHeader } from '@/app/_ui/page-header';
import { Panel } from '@/app/_ui/panel';
import { pageProject } from '@/lib/services/access/page';

export const metadata: Metadata = { title: 'Not now' };

type Props = PageProps<'/projects/[project]/closed'>;

/** Where a page leads that the state of the project does not allow: an old bookmark, say. */
export default async function Closed({ params }: Props) {
  const { project } = await pageProject((await params).project);
  return (
    <Page narrow>
      <PageHeader title="Not now" />
      <Panel>
        <EmptyState
          title={`The project is ${project.state}`}
          action={
            <ButtonLink href={`/projects/${project.slug}`} variant="primary">
              Go to the project
            </ButtonLink>
          }
        >
          What you opened cannot be done in that state. All that was collected is still here to look at.
        </EmptyState>
      </Panel>
    </Page>
  );
}
