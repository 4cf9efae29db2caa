import type { Metadata } from 'next';
import { z } from 'zod';
import { can } from '@/app/_shell/can';
import { ButtonLink } from '@/app/_ui/button';
import { EmptyState } from '@/app/_ui/empty-state';
import { Page, PageHeader } from '@/app/_ui/page-header';
import { Panel } from '@/app/_ui/panel';
import { database } from '@/db';
import { suites } from '@/lib/core/robustness/suites';
import { pageOpenProject } from '@/lib/services/access/page';
import { effectivePolicy } from '@/lib/services/crowd/work/effective-policy';
import { listVersions } from '@/lib/services/datasets/versions/list-versions';
import { findOracleStages } from '@/lib/services/evaluations/crowd/oracle-stage';
import { classifiersOf, listModels } from '@/lib/services/training/models';
import { EvaluationForm } from './evaluation-form';

export const metadata: Metadata = { title: 'Evaluate a model' };

type Props = PageProps<'/projects/[project]/evaluations/new'>;

export default async function NewEvaluation({ params, searchParams }: Props) {
  const access = await pageOpenProject((await params).project, 'evaluations.write');
  const { project } = access;
  const wanted = z
    .object({ model: z.uuid() })
    .partial()
    .safeParse(await searchParams).data;
  const db = database();
  const isPaying = can('crowd.manage', access);
  const [models, versions, stages] = await Promise.all([
    listModels(db, project.id),
    listVersions(db, { projectId: project.id }),
    isPaying ? findOracleStages(db, project.id) : [],
  ]);
  const home = `/projects/${project.slug}`;
  const current = models.filter(({ state }) => state !== 'archived');
  const usable = classifiersOf(current);
  const choicesOf = (some: typeof current) =>
    some.map(({ id, name, kind }) => ({ value: id, label: name, kind }));
  return (
    <Page>
      <PageHeader
        title="Evaluate a model"
        description="Stored model outputs are reused, so repeating an evaluation or changing few labels costs little."
      />
      {usable.length === 0 || versions.length === 0 ? (
        <Panel title="Evaluate a model" flush>
          <EmptyState
            title={versions.length === 0 ? 'No versions yet' : 'No models yet'}
            action={
              <ButtonLink variant="primary" href={versions.length === 0 ? `${home}/data` : `${home}/runs`}>
                {versions.length === 0 ? 'Go to data' : 'Go to runs'}
              </ButtonLink>
            }
          >
            An evaluation runs a model on the images of a frozen version.
          </EmptyState>
        </Panel>
      ) : (
        <EvaluationForm
          slug={project.slug}
          models={choicesOf(usable)}
          judges={choicesOf(current.filter(({ kind }) => kind !== 'decoder'))}
          decoders={choicesOf(current.filter(({ kind }) => kind === 'decoder'))}
          crowd={
            isPaying
              ? {
                  slug: project.slug,
                  currency: effectivePolicy(project.policy, {}).pay.currency,
                  stages: stages
                    .filter(({ state }) => state !== 'closed')
                    .map(({ id, name }) => ({ value: id, label: name })),
                }
              : null
          }
          model={wanted?.model ?? usable[0]?.id ?? ''}
          versions={versions.map(({ number, images }) => ({
            value: String(number),
            label: `Version ${number}, ${images} images`,
          }))}
          suites={suites.map(({ id, name, description }) => ({ id, name, description }))}
        />
      )}
    </Page>
  );
}
