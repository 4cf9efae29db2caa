import type { Metadata } from 'next';
import { RefreshWhile } from '@/app/_shell/refresh-while';
import { ButtonLink } from '@/app/_ui/button';
import { EmptyState } from '@/app/_ui/empty-state';
import { Page, PageHeader } from '@/app/_ui/page-header';
import { Panel } from '@/app/_ui/panel';
import { CsvLink } from '@/app/_ui/table';
import { Tabs } from '@/app/_ui/tabs';
import { database } from '@/db';
import { formatNumber } from '@/lib/core/format';
import type { DatasetSchema } from '@/lib/core/schema';
import { type PageProject, pageProject } from '@/lib/services/access/page';
import {
  type AnsweredStage,
  picturesOf,
  type StageAgreement,
  stageAgreement,
  stagesWithAnswers,
} from '@/lib/services/curation/agreement/stage-agreement';
import { type ConsensusRun, isActive, listRuns } from '@/lib/services/curation/consensus/list-runs';
import { defaultMethod, methodsFor } from '@/lib/services/curation/consensus/methods';
import { previewRun } from '@/lib/services/curation/consensus/preview';
import { readProjectSchema } from '@/lib/services/images/ingest/project-schema';
import { DrawingTable, FormTable } from './agreement-tables';
import { ConsensusPanel } from './consensus-panel';
import { RunTable } from './run-table';
import { WorstItems } from './worst-items';

export const metadata: Metadata = { title: 'Agreement' };

type Props = PageProps<'/projects/[project]/agreement'>;

const one = (value: string | string[] | undefined) => (Array.isArray(value) ? value[0] : value);

export default async function Agreement({ params, searchParams }: Props) {
  const access = await pageProject((await params).project);
  const { project } = access;
  const query = await searchParams;
  const db = database();
  const [stages, schema, runs] = await Promise.all([
    stagesWithAnswers(db, project.id),
    readProjectSchema(db, project.id),
    listRuns(db, project.id),
  ]);
  const path = `/projects/${project.slug}`;
  const wanted = one(query.stage);
  const stage =
    stages.find(({ id }) => id === wanted) ?? stages.find(({ several }) => several > 0) ?? stages[0];
  const hrefOf = (id: string | undefined) => `${path}/agreement?stage=${id}`;
  return (
    <Page>
      <PageHeader
        title="Agreement"
        description="Chance-corrected agreement between workers who answered the same items, and consensus labels computed from their answers."
        action={
          stage &&
          stage.several > 0 &&
          mayChange(access) && (
            <ButtonLink
              variant="primary"
              href={`${hrefOf(stage.id)}&method=${defaultMethod(stage.kind, stage.overlap ?? 1).method.id}#consensus`}
            >
              Preview consensus
            </ButtonLink>
          )
        }
      />
      {stages.length > 0 && (
        <Tabs
          label="Stages"
          tabs={stages.map(({ id, name, several }) => ({ label: name, href: hrefOf(id), count: several }))}
          current={hrefOf(stage?.id)}
        />
      )}
      {stage && stage.several > 0 ? (
        <StageBody access={access} stage={stage} schema={schema} method={one(query.method)} />
      ) : (
        <Panel>
          <EmptyState
            title="No item has two answers"
            action={
              mayChange(access) && <ButtonLink href={`${path}/crowd/policy`}>Open the policy</ButtonLink>
            }
          >
            Agreement needs several workers on the same items. Increase the overlap in the policy; with three
            answers, one mistake is outvoted.
          </EmptyState>
        </Panel>
      )}
      <Runs access={access} runs={runs} stages={stages} />
    </Page>
  );
}

const mayChange = ({ actor, roles, project }: PageProject) =>
  (actor.isAdmin || roles.includes('curator')) && project.state !== 'archived';

function namer(schema: DatasetSchema | null) {
  const names = new Map(
    [...(schema?.attributes ?? []), ...(schema?.parts ?? []), ...(schema?.classes ?? [])].map(
      ({ id, name }) => [id, name],
    ),
  );
  return (target: string) => (target === '' ? 'Whole object' : (names.get(target) ?? target));
}

interface StageBodyProps {
  access: PageProject;
  stage: AnsweredStage;
  schema: DatasetSchema | null;
  method: string | undefined;
}

async function StageBody({ access, stage, schema, method: wanted }: StageBodyProps) {
  const db = database();
  const { project } = access;
  const chosen = methodsFor(stage.kind).find(({ id }) => id === wanted);
  const method = chosen ?? defaultMethod(stage.kind, stage.overlap ?? 1).method;
  const [agreement, preview] = await Promise.all([
    stageAgreement(db, stage, schema),
    chosen
      ? previewRun(db, {
          projectId: project.id,
          stageId: stage.id,
          stageKind: stage.kind,
          method: chosen.id,
          seed: 'preview',
        })
      : null,
  ]);
  const pictures = await picturesOf(
    db,
    agreement.worst.map(({ item }) => item.imageId),
    // Drawings open in the detailed view.
    agreement.kind === 'drawings' ? 'working' : 'thumbnail',
  );
  const nameOf = namer(schema);
  return (
    <>
      <Panel
        title="Agreement"
        description={samplingOf(agreement)}
        actions={<CsvLink href={`/projects/${project.slug}/agreement/csv?stage=${stage.id}`} />}
        flush
      >
        {agreement.kind === 'forms' ? (
          <FormTable rows={agreement.rows} nameOf={nameOf} />
        ) : (
          <DrawingTable rows={agreement.rows} nameOf={nameOf} />
        )}
      </Panel>
      <Panel
        title="Where people disagree most"
        description={
          agreement.kind === 'forms'
            ? 'Share of workers who marked the attribute. Open a picture to see all its answers.'
            : 'Each outline is from one worker. Open a picture to see all its answers.'
        }
      >
        {agreement.worst.length > 0 ? (
          <WorstItems
            agreement={agreement}
            pictures={pictures}
            path={`/projects/${project.slug}`}
            nameOf={nameOf}
          />
        ) : (
          <EmptyState title="No disagreement">No two answers to the same item differ.</EmptyState>
        )}
      </Panel>
      <div id="consensus">
        <ConsensusPanel
          slug={project.slug}
          stage={stage}
          method={method}
          preview={preview}
          mayBuild={mayChange(access)}
          nameOf={nameOf}
        />
      </div>
    </>
  );
}

function samplingOf({ population, sampled }: StageAgreement): string {
  const which =
    sampled < population
      ? `${formatNumber(sampled)} of ${formatNumber(population)} items with two answers or more, drawn at random`
      : `All ${formatNumber(population)} items with two answers or more`;
  return `${which}. 95 % intervals, leaving out one item at a time. Answers that were set aside do not count.`;
}

interface RunsProps {
  access: PageProject;
  runs: ConsensusRun[];
  stages: AnsweredStage[];
}

function Runs({ access, runs, stages }: RunsProps) {
  if (runs.length === 0 && stages.every(({ several }) => several === 0)) return null;
  const names = new Map(
    [...methodsFor('attributes'), ...methodsFor('object-mask')].map(({ id, name }) => [id, name]),
  );
  return (
    <Panel title="Consensus runs" flush>
      <RefreshWhile active={runs.some(isActive)} />
      <RunTable
        slug={access.project.slug}
        runs={runs}
        methodName={(id) => names.get(id) ?? id}
        mayChange={mayChange(access)}
      />
    </Panel>
  );
}
