import { Upload } from 'lucide-react';
import type { Metadata } from 'next';
import { can } from '@/app/_shell/can';
import { ButtonLink } from '@/app/_ui/button';
import { EmptyState } from '@/app/_ui/empty-state';
import { Page, PageHeader } from '@/app/_ui/page-header';
import { Panel } from '@/app/_ui/panel';
import { database } from '@/db';
import { pageProject } from '@/lib/services/access/page';
import { classifiersOf, listModels } from '@/lib/services/training/models';
import { HelperTable, ModelTable } from './model-table';

export const metadata: Metadata = { title: 'Models' };

type Props = PageProps<'/projects/[project]/models'>;

export default async function Models({ params }: Props) {
  const access = await pageProject((await params).project);
  const { project } = access;
  const models = await listModels(database(), project.id);
  const home = `/projects/${project.slug}`;
  const archived = models.filter(({ state }) => state === 'archived');
  const current = classifiersOf(models).filter(({ state }) => state !== 'archived');
  const helpers = models.filter(({ kind, state }) => kind !== 'classifier' && state !== 'archived');
  const mayChange = can('models.write', access);
  const table = { home, slug: project.slug, mayChange };
  return (
    <Page>
      <PageHeader
        title="Models"
        description="ONNX files with their inputs, outputs, training data and test results. The promoted model makes predictions and suggestions in this project."
        action={
          mayChange && (
            <ButtonLink variant="primary" icon={<Upload aria-hidden />} href={`${home}/models/new`}>
              Add a model
            </ButtonLink>
          )
        }
      />
      <Panel title="Models" flush>
        {current.length === 0 ? (
          <EmptyState
            title={archived.length === 0 ? 'No models yet' : 'All models are archived'}
            action={<ButtonLink href={`${home}/runs`}>Go to runs</ButtonLink>}
          >
            A successful run registers its model here, with its files, test results and the hash of its
            training version. You can also upload a model as an ONNX file with its classes.
          </EmptyState>
        ) : (
          <ModelTable caption="Models" models={current} {...table} />
        )}
      </Panel>
      {helpers.length > 0 && (
        <Panel
          title="Oracles and decoders"
          description="Helper models for evaluations. An oracle decides whether a perturbed picture still shows its class. A decoder generates adversarial pictures."
          flush
        >
          <HelperTable models={helpers} {...table} />
        </Panel>
      )}
      {archived.length > 0 && (
        <Panel title="Archived" description="Archived models keep all their files." flush>
          <ModelTable caption="Archived models" models={archived} {...table} />
        </Panel>
      )}
    </Page>
  );
}
