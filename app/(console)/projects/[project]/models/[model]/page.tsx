import { Download } from 'lucide-react';
import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { cache } from 'react';
import { z } from 'zod';
import { can } from '@/app/_shell/can';
import { Badge } from '@/app/_ui/badge';
import { ButtonLink, buttonStyle } from '@/app/_ui/button';
import { Page, PageHeader } from '@/app/_ui/page-header';
import { Panel } from '@/app/_ui/panel';
import { State } from '@/app/_ui/state';
import { database } from '@/db';
import { TesseraError } from '@/lib/core/errors';
import { formatDateTime } from '@/lib/core/format';
import { pageProject } from '@/lib/services/access/page';
import { listEvaluations } from '@/lib/services/evaluations/list-evaluations';
import { getModel, listModelFiles } from '@/lib/services/training/models';
import { testsOf } from '@/lib/services/training/report/curves-of';
import { getRun } from '@/lib/services/training/runs/list-runs';
import { EvaluationTable } from '../../evaluations/evaluation-table';
import { PerClass, TestTable } from '../../runs/run-results';
import { readContract } from '../read-contract';
import { StateButtons } from '../state-buttons';
import { LoopPanels } from './loop/loop-panels';
import { CardPanel, ContractPanel, FileTable } from './model-panels';

type Props = PageProps<'/projects/[project]/models/[model]'>;

const pageModel = cache(async (slug: string, modelId: string) => {
  const access = await pageProject(slug);
  if (!z.uuid().safeParse(modelId).success) notFound();
  const model = await getModel(database(), { projectId: access.project.id, modelId }).catch((error) => {
    if (error instanceof TesseraError) notFound();
    throw error;
  });
  return { access, model, home: `/projects/${access.project.slug}` };
});

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { project, model } = await params;
  return { title: (await pageModel(project, model)).model.name };
}

export default async function Model({ params }: Props) {
  const { project: slug, model: id } = await params;
  const { access, model, home } = await pageModel(slug, id);
  const db = database();
  const projectId = access.project.id;
  const [files, evaluations, run] = await Promise.all([
    listModelFiles(db, model.id),
    listEvaluations(db, { projectId, modelId: model.id }),
    model.runId ? getRun(db, { projectId, runId: model.runId }) : null,
  ]);
  const contract = readContract(model.contract);
  // Previews of epochs are displayed with the run.
  const own = files.filter(({ kind }) => !kind.startsWith('previews/'));
  const tests = testsOf({ metrics: contract.metrics });
  const mayDownload = can('data.export', access);
  const onnx = {
    kind: null,
    sha256: model.sha256,
    bytes: onnxBytes(run?.result?.artifacts) ?? contract.file?.bytes ?? null,
  };
  return (
    <Page>
      <PageHeader
        title={model.name}
        facts={
          <>
            <State state={model.state} />
            {model.kind !== 'classifier' && <Badge>{model.kind}</Badge>}
            <span className="text-xs">
              registered {formatDateTime(model.at)} UTC{model.by && ` by ${model.by}`}
            </span>
          </>
        }
        more={
          can('models.write', access) && (
            <StateButtons
              key={model.state}
              slug={access.project.slug}
              modelId={model.id}
              state={model.state}
              kind={model.kind}
              size="medium"
            />
          )
        }
        action={
          <>
            {mayDownload && (
              <a
                href={`/api/v1/models/${model.id}/file`}
                download
                className={buttonStyle({ variant: 'secondary' })}
              >
                <Download aria-hidden />
                Download ONNX
              </a>
            )}
            {model.kind === 'classifier' && can('evaluations.write', access) && (
              <ButtonLink variant="primary" href={`${home}/evaluations/new?model=${model.id}`}>
                Evaluate
              </ButtonLink>
            )}
          </>
        }
      />
      <div className="grid items-start gap-6 xl:grid-cols-2">
        <ContractPanel contract={contract} />
        <CardPanel model={model} contract={contract} run={run} home={home} />
      </div>
      <LoopPanels access={access} model={model} />
      <TestTable tests={tests} isOver hasRun={model.runId !== null} />
      {evaluations.length > 0 && (
        <Panel title="Evaluations" flush>
          <EvaluationTable evaluations={evaluations} home={home} />
        </Panel>
      )}
      <PerClass tests={tests} classes={contract.classes} />
      <FileTable modelId={model.id} files={[onnx, ...own]} mayDownload={mayDownload} />
    </Page>
  );
}

const onnxBytes = (artifacts: { path: string; bytes: number }[] | undefined): number | null =>
  artifacts?.find(({ path }) => path === 'artifacts/model.onnx')?.bytes ?? null;
