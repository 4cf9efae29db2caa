import type { Metadata } from 'next';
import { can } from '@/app/_shell/can';
import { JobPanel } from '@/app/_shell/job-panel';
import { RefreshWhile } from '@/app/_shell/refresh-while';
import { FormError } from '@/app/_ui/forms';
import { Page, PageHeader } from '@/app/_ui/page-header';
import { Panel } from '@/app/_ui/panel';
import { State } from '@/app/_ui/state';
import { database } from '@/db';
import { formatDateTime } from '@/lib/core/format';
import { listActiveJobs } from '@/lib/services/datasets/versions/list-versions';
import { companionIds } from '@/lib/services/evaluations/evaluation-request';
import { listEvaluations } from '@/lib/services/evaluations/list-evaluations';
import { modelNames } from '@/lib/services/training/models';
import { CrowdPanel } from './crowd-panel';
import { readGallery } from './gallery-query';
import { pageEvaluation } from './page-evaluation';
import { Results } from './results';

type Props = PageProps<'/projects/[project]/evaluations/[evaluation]'>;

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { project, evaluation } = await params;
  return { title: `Evaluation of ${(await pageEvaluation(project, evaluation)).evaluation.model}` };
}

export default async function Evaluation({ params, searchParams }: Props) {
  const { project: slug, evaluation: id } = await params;
  const { access, evaluation, home } = await pageEvaluation(slug, id);
  const db = database();
  const asked = await searchParams;
  const [jobs, others, oracles] = await Promise.all([
    listActiveJobs(db, evaluation.jobId ? [evaluation.jobId] : []),
    listEvaluations(db, { projectId: access.project.id }),
    modelNames(db, access.project.id, companionIds(evaluation.options)),
  ]);
  const job = evaluation.jobId ? jobs.get(evaluation.jobId) : undefined;
  const isAtWork = evaluation.state === 'queued' || evaluation.state === 'running';
  const { metrics } = evaluation;
  return (
    <Page>
      <PageHeader
        title={`Evaluation of ${evaluation.model}`}
        facts={
          <>
            <State state={evaluation.state} />
            <span className="text-xs">
              version {evaluation.version}, suite {evaluation.suite}, preset {evaluation.options.preset},
              started {formatDateTime(evaluation.at)} UTC{evaluation.by && ` by ${evaluation.by}`}
            </span>
          </>
        }
      />
      <RefreshWhile active={isAtWork && !job} />
      {job && <JobPanel job={job} fallback={null} />}
      {evaluation.state === 'waiting' && (
        <CrowdPanel
          slug={access.project.slug}
          evaluationId={evaluation.id}
          mayStop={can('evaluations.write', access)}
        />
      )}
      {evaluation.state === 'failed' && (
        <Panel title="The evaluation failed">
          <FormError>{evaluation.error ?? 'No reason was reported. Open the job to read its log.'}</FormError>
        </Panel>
      )}
      {evaluation.state === 'cancelled' && (
        <Panel title="The evaluation was cancelled">
          <p className="text-ink-2">
            Finished rows are kept. If you retry the job or start the same evaluation again, it continues from
            there.
          </p>
        </Panel>
      )}
      {metrics && (
        <Results
          access={access}
          evaluation={evaluation}
          metrics={metrics}
          others={others}
          oracles={oracles}
          query={readGallery(asked)}
          baseline={typeof asked.baseline === 'string' ? asked.baseline : undefined}
          home={home}
        />
      )}
    </Page>
  );
}
