import type { Metadata } from 'next';
import { can } from '@/app/_shell/can';
import { RefreshWhile } from '@/app/_shell/refresh-while';
import { ButtonLink } from '@/app/_ui/button';
import { EmptyState } from '@/app/_ui/empty-state';
import { Page, PageHeader } from '@/app/_ui/page-header';
import { Panel } from '@/app/_ui/panel';
import { database } from '@/db';
import { pageProject } from '@/lib/services/access/page';
import { listEvaluations } from '@/lib/services/evaluations/list-evaluations';
import { EvaluationTable } from './evaluation-table';

export const metadata: Metadata = { title: 'Evaluations' };

type Props = PageProps<'/projects/[project]/evaluations'>;

export default async function Evaluations({ params }: Props) {
  const access = await pageProject((await params).project);
  const { project } = access;
  const evaluations = await listEvaluations(database(), { projectId: project.id });
  const home = `/projects/${project.slug}`;
  const start = can('evaluations.write', access) && (
    <ButtonLink variant="primary" href={`${home}/evaluations/new`}>
      Evaluate a model
    </ButtonLink>
  );
  return (
    <Page>
      <PageHeader
        title="Evaluations"
        description="Measure clean and robust accuracy, foreground sensitivity and saliency with the masks of a version."
        more={<ButtonLink href={`${home}/evaluations/slices`}>Slices</ButtonLink>}
        action={evaluations.length > 0 && start}
      />
      <RefreshWhile active={evaluations.some(({ state }) => state === 'queued' || state === 'running')} />
      <Panel title="Evaluations" flush>
        {evaluations.length === 0 ? (
          <EmptyState title="No evaluations yet" action={start}>
            Train or upload a model, then evaluate it on a frozen version.
          </EmptyState>
        ) : (
          <EvaluationTable evaluations={evaluations} home={home} />
        )}
      </Panel>
    </Page>
  );
}
