import type { Metadata } from 'next';
import { ButtonLink } from '@/app/_ui/button';
import { EmptyState } from '@/app/_ui/empty-state';
import { FormError } from '@/app/_ui/forms';
import { Panel } from '@/app/_ui/panel';
import { SmallTable } from '@/app/_ui/table';
import { database } from '@/db';
import { formatDateTime, formatNumber } from '@/lib/core/format';
import { statedError } from '@/lib/core/quality/interval';
import { rules } from '@/lib/core/quality/rules';
import { pageProject } from '@/lib/services/access/page';
import { crowdStages } from '@/lib/services/crowd/overview/crowd-stages';
import {
  listRuleSets,
  stageHistories,
  triedEvidence,
  tryRules,
} from '@/lib/services/crowd/overview/try-rules';
import { inactiveRules } from '@/lib/services/crowd/signals/compare-answers';
import { rulesInForce } from '@/lib/services/crowd/trust/rules-in-force';
import { readProjectSchema } from '@/lib/services/images/ingest/project-schema';
import { CrowdPage } from '../crowd-page';
import { readDraft } from './read-draft';
import { RuleForm } from './rule-form';
import { SwitchOn } from './switch-on';
import { TrialResult } from './trial-result';
import { WorkerTrial } from './worker-trial';

export const metadata: Metadata = { title: 'Rules' };

type Props = PageProps<'/projects/[project]/crowd/rules'>;

const titlesOf = (stored: Record<string, unknown>[]) =>
  stored.map(({ id }) => rules.find((rule) => rule.id === id)?.title ?? String(id)).join(', ') || 'none';

function workersIn(histories: readonly { workerId: string; name: string }[]): { id: string; name: string }[] {
  const names = new Map(histories.map(({ workerId, name }) => [workerId, name]));
  return [...names].map(([id, name]) => ({ id, name })).sort((a, b) => a.name.localeCompare(b.name, 'en'));
}

export default async function Rules({ params, searchParams }: Props) {
  const { project } = await pageProject((await params).project, 'crowd.read');
  const db = database();
  const query = await searchParams;
  const [stages, inForce, sets, inactive, schema] = await Promise.all([
    crowdStages(db, project),
    rulesInForce(db, project.id),
    listRuleSets(db, project.id),
    inactiveRules(db, project.id),
    readProjectSchema(db, project.id),
  ]);
  const draft = readDraft(query);
  const isSound = draft !== null && draft.problem === null;
  const histories = await stageHistories(db, project.id, stages);
  const number = sets[0]?.number ?? 0;
  const workers = workersIn(histories);
  const chosen = workers.find(({ id }) => id === query.worker) ?? null;
  const names = new Map(
    [...(schema?.attributes ?? []), ...(schema?.parts ?? [])].map(({ id, name }) => [id, name]),
  );
  const readOnly = project.state === 'archived';
  const path = `/projects/${project.slug}/crowd/rules`;
  const form = (
    <Panel
      key="form"
      title={
        draft
          ? 'Draft rules'
          : number === 0
            ? 'Active: Tessera’s default rules'
            : `Active: rule set ${number}`
      }
      description="Choose rules and settings. Try them on past work before you apply them."
      actions={draft && <ButtonLink href={path}>Back to the active rules</ButtonLink>}
      flush
    >
      <RuleForm
        key={JSON.stringify(draft?.settings ?? inForce)}
        path={path}
        settings={draft?.settings ?? inForce}
        readOnly={readOnly}
        inactive={inactive}
        workerId={chosen?.id ?? null}
      />
      {draft?.problem && (
        <div className="px-4 pb-4">
          <FormError>{draft.problem}</FormError>
        </div>
      )}
    </Panel>
  );
  const dry = (
    <Panel
      key="dry"
      title="Dry run"
      description="Applies the rules to the whole history. Rules are evaluated at the end of each batch."
      actions={
        isSound &&
        !readOnly && (
          <SwitchOn
            slug={project.slug}
            after={number}
            rules={draft.settings.map(({ id, params }) => ({
              id,
              params: params as Record<string, number>,
            }))}
          />
        )
      }
      flush
    >
      {histories.length === 0 ? (
        <EmptyState title="No work yet">A dry run needs finished work.</EmptyState>
      ) : (
        <TrialResult
          slug={project.slug}
          stages={stages}
          currency={stages[0]?.policy.pay.currency ?? 'USD'}
          inForce={tryRules(histories, stages, inForce)}
          draft={isSound ? tryRules(histories, stages, draft.settings) : null}
        />
      )}
    </Panel>
  );
  const evidence = histories.length > 0 && (
    <WorkerTrial
      path={path}
      crowdPath={`/projects/${project.slug}/crowd`}
      query={query}
      workers={workers}
      chosen={chosen}
      stages={stages}
      evidence={chosen ? triedEvidence(histories, isSound ? draft.settings : inForce, chosen.id) : []}
      nameOf={(target) => names.get(target) ?? target}
    />
  );
  const error = statedError(inForce);
  return (
    <CrowdPage
      slug={project.slug}
      at="/rules"
      title="Rules"
      description="Rules decide when a worker receives a hint or a refresher, is paused, or is stopped. Workers see each decision with its reason and can appeal."
    >
      {/* After a dry run, the results come first. */}
      {draft ? [dry, form] : [form, dry]}
      {evidence}
      <p className="max-w-prose text-ink-2">
        {error === null
          ? 'An active rule has no bound on its error rate and can stop good workers.'
          : `Because of checks, the active rules stop at most ${formatNumber(1000 * error, 1)} of 1,000 good workers, regardless of how long they work.`}{' '}
        The page of a worker shows the evidence with the actual decisions.
      </p>
      <Panel title="Rule set history" flush>
        <SmallTable
          caption="Rule set history"
          rows={sets}
          rowKey={(set) => String(set.number)}
          empty={
            <EmptyState title="No rule sets yet">
              The default rules of Tessera are active. The first set that you apply becomes number 1.
            </EmptyState>
          }
          columns={[
            { key: 'number', title: 'Number', className: 'w-20', cell: (set) => set.number },
            { key: 'rules', title: 'Rules', cell: (set) => titlesOf(set.rules) },
            { key: 'by', title: 'By', cell: (set) => set.by ?? '–' },
            { key: 'at', title: 'Since, UTC', numeric: true, cell: (set) => formatDateTime(set.at) },
          ]}
        />
      </Panel>
    </CrowdPage>
  );
}
