import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { cache } from 'react';
import { z } from 'zod';
import { FormError } from '@/app/_ui/forms';
import { Page, PageHeader } from '@/app/_ui/page-header';
import { Panel } from '@/app/_ui/panel';
import { State } from '@/app/_ui/state';
import { database } from '@/db';
import { pageProject } from '@/lib/auth/page';
import { jobsAtWork } from '@/lib/datasets/versions/jobs-at-work';
import { TesseraError } from '@/lib/errors';
import { GalleryQuery, galleryOf } from '@/lib/evaluate/gallery';
import { getEvaluation, listEvaluations } from '@/lib/evaluate/list-evaluations';
import { formatDateTime } from '@/lib/format';
import { modelNames } from '@/lib/training/models/model-names';
import { RefreshWhile } from '../../agreement/refresh-while';
import { JobPanel } from '../../data/_job/job-panel';
import { FindingsTable } from './findings-table';
import { Gallery } from './gallery';
import { Plots } from './plots';
import { Provenance } from './provenance';
import { ReportTable } from './report-table';
import { Strip } from './strip';

type Props = PageProps<'/projects/[project]/evaluations/[evaluation]'>;

const pageEvaluation = cache(async (slug: string, evaluationId: string) => {
  const access = await pageProject(slug);
  if (!z.uuid().safeParse(evaluationId).success) notFound();
  const evaluation = await getEvaluation(database(), {
    projectId: access.project.id,
    evaluationId,
  }).catch((error) => {
    if (error instanceof TesseraError) notFound();
    throw error;
  });
  return { access, evaluation, home: `/projects/${access.project.slug}` };
});

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { project, evaluation } = await params;
  return { title: `Evaluation of ${(await pageEvaluation(project, evaluation)).evaluation.model}` };
}

export default async function Evaluation({ params, searchParams }: Props) {
  const { project: slug, evaluation: id } = await params;
  const { access, evaluation, home } = await pageEvaluation(slug, id);
  const db = database();
  const query = GalleryQuery.safeParse(await searchParams).data ?? GalleryQuery.parse({});
  const [jobs, gallery, others, oracles] = await Promise.all([
    jobsAtWork(db, evaluation.jobId ? [evaluation.jobId] : []),
    evaluation.state === 'done' ? galleryOf(db, evaluation.id, query) : null,
    listEvaluations(db, { projectId: access.project.id }),
    modelNames(db, access.project.id, evaluation.options.oracle),
  ]);
  const job = evaluation.jobId ? jobs.get(evaluation.jobId) : undefined;
  const isAtWork = evaluation.state === 'queued' || evaluation.state === 'running';
  const { metrics } = evaluation;
  const path = `${home}/evaluations/${evaluation.id}`;
  return (
    <Page>
      <PageHeader
        title={`Evaluation of ${evaluation.model}`}
        facts={
          <>
            <State state={evaluation.state} />
            <span className="text-xs">
              version {evaluation.version}, suite {evaluation.suite}, preset {evaluation.options.preset},
              begun {formatDateTime(evaluation.at)} UTC{evaluation.by && ` by ${evaluation.by}`}
            </span>
          </>
        }
      />
      <RefreshWhile active={isAtWork && !job} />
      {job && <JobPanel job={job} otherwise={null} />}
      {evaluation.state === 'failed' && (
        <Panel title="The evaluation failed">
          <FormError>{evaluation.error ?? 'No reason was given. Its job has the log.'}</FormError>
        </Panel>
      )}
      {evaluation.state === 'cancelled' && (
        <Panel title="The evaluation was stopped">
          <p className="text-ink-2">
            What was asked until then is kept: retry its job, or start the same evaluation again, and it goes
            on from there.
          </p>
        </Panel>
      )}
      {metrics && (
        <>
          <Strip evaluation={evaluation} others={others} />
          <FindingsTable findings={metrics.findings} />
          <ReportTable metrics={metrics} path={path} />
          <Plots plots={metrics.plots} path={path} />
          {gallery && <Gallery gallery={gallery} query={query} path={path} home={home} />}
          <Provenance
            evaluation={evaluation}
            metrics={metrics}
            oracles={oracles}
            home={home}
            slug={access.project.slug}
          />
        </>
      )}
    </Page>
  );
}
