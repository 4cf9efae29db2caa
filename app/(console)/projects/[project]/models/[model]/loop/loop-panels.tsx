import Link from 'next/link';
import { can } from '@/app/_shell/can';
import { isActiveJob, toProgress } from '@/app/_shell/job-panel';
import { JobProgress } from '@/app/_shell/job-progress';
import { RefreshWhile } from '@/app/_shell/refresh-while';
import { DefinitionList } from '@/app/_ui/definition-list';
import { FormError } from '@/app/_ui/forms';
import { Panel } from '@/app/_ui/panel';
import { SmallTable } from '@/app/_ui/table';
import { database } from '@/db';
import { formatNumber } from '@/lib/core/format';
import type { Policy } from '@/lib/core/quality/policy';
import type { PageProject } from '@/lib/services/access/page';
import { effectivePolicy } from '@/lib/services/crowd/work/effective-policy';
import { drawsMasks } from '@/lib/services/crowd/work/pay-for';
import { listDrawable, readServingContract } from '@/lib/services/inference/serving-contract';
import { MAX_SELECTED } from '@/lib/services/training/loop/select-next';
import { type LoopState, loopState, suggestionEffect } from '@/lib/services/training/loop/suggestion-effect';
import type { ModelView } from '@/lib/services/training/models';
import { AskInOrder, ChooseNextForm, LookAgain } from './buttons';
import { EffectPanel } from './effect-panel';

/** Panels of a promoted model; formerly promoted models keep the effect of their suggestions. */
export async function LoopPanels({ access, model }: { access: PageProject; model: ModelView }) {
  const { project } = access;
  const db = database();
  const isPromoted = model.state === 'promoted';
  const maySee = can('crowd.read', access);
  const [state, effect] = await Promise.all([
    isPromoted ? loopState(db, project.id, model.id) : null,
    maySee ? suggestionEffect(db, model.id) : null,
  ]);
  const drawing = (state?.stages ?? []).filter(({ kind }) => drawsMasks(kind as 'object-mask'));
  const offered = drawing.filter(({ policy }) => effectivePolicy(project.policy, policy).suggestions.isOn);
  const home = `/projects/${project.slug}`;
  return (
    <>
      {state && (
        <div className="grid items-start gap-6 xl:grid-cols-2">
          <SeenPanel
            slug={project.slug}
            state={state}
            draws={drawsOf(model)}
            offered={offered.map(({ name }) => name)}
            policyHref={`${home}/crowd/policy`}
            auditHref={`${home}/audit?order=disagreement`}
            mayStart={can('models.write', access)}
          />
          <AskNextPanel
            slug={project.slug}
            state={state}
            mayChange={can('crowd.manage', access)}
            askNext={(stageId) =>
              effectivePolicy(project.policy, state.stages.find(({ id }) => id === stageId)?.policy ?? {})
                .askNext
            }
          />
        </div>
      )}
      {effect && (isPromoted || effect.shown + effect.withheld > 0) && (
        <EffectPanel effect={effect} isOffered={offered.length > 0} />
      )}
    </>
  );
}

/** Number of predicted mask targets, or the reason why the model cannot be used. */
function drawsOf({ contract }: ModelView): number | string {
  try {
    return listDrawable(readServingContract(contract)).size;
  } catch (error) {
    return (error as Error).message;
  }
}

interface AskNextPanelProps {
  slug: string;
  state: LoopState;
  mayChange: boolean;
  /** Repeated selection of a stage. */
  askNext(stageId: string): Policy['askNext'];
}

/** Active learning: selects the next images. */
function AskNextPanel({ slug, state, mayChange, askNext }: AskNextPanelProps) {
  const { stages, selecting } = state;
  const asking = stages.filter(({ open }) => open > 0);
  const isRunning = selecting !== null && isActiveJob(selecting);
  return (
    <Panel
      title="Active learning"
      description="Selects the images with the most uncertain predictions and, among those, a diverse set by the features of the model. Their open items move to the front of the stage, after items that a curator sent back."
      flush
    >
      <div className="flex flex-col gap-4">
        <RefreshWhile active={isRunning} />
        <SmallTable
          caption="Open items by stage"
          rows={asking}
          rowKey={({ id }) => id}
          empty={
            <p className="px-4 py-3 text-ink-2">
              No stage has open items. Request more answers from an evaluation or from the audit queue first.
            </p>
          }
          columns={[
            { key: 'stage', title: 'Stage', cell: ({ name }) => <span className="font-medium">{name}</span> },
            { key: 'open', title: 'Open images', numeric: true, cell: ({ open }) => formatNumber(open) },
            { key: 'seen', title: 'Predicted', numeric: true, cell: ({ seen }) => formatNumber(seen) },
            { key: 'chosen', title: 'Selected', numeric: true, cell: ({ chosen }) => formatNumber(chosen) },
            {
              key: 'again',
              title: 'Repeat',
              className: 'whitespace-nowrap',
              cell: ({ id }) => {
                const { isOn, images } = askNext(id);
                return isOn ? `${formatNumber(images)} at a time` : <span className="text-ink-3">no</span>;
              },
            },
            {
              key: 'reset',
              title: 'Actions',
              untitled: true,
              cell: ({ id, chosen }) =>
                mayChange && (chosen > 0 || askNext(id).isOn) ? (
                  <AskInOrder slug={slug} stageId={id} />
                ) : null,
            },
          ]}
        />
        {(isRunning || selecting?.state === 'failed' || (mayChange && asking.length > 0)) && (
          <div className="flex flex-col gap-3 px-4 pb-4">
            {selecting && isRunning && <JobProgress {...toProgress(selecting)} />}
            {selecting?.state === 'failed' && <FormError>{selecting.error}</FormError>}
            {mayChange && asking.length > 0 && (
              <ChooseNextForm
                isBusy={isRunning}
                slug={slug}
                stages={asking.map(({ id, name }) => ({ id, name }))}
                most={MAX_SELECTED}
              />
            )}
          </div>
        )}
      </div>
    </Panel>
  );
}

interface SeenPanelProps {
  slug: string;
  state: LoopState;
  /** Number of mask targets, or the reason why the model cannot be used. */
  draws: number | string;
  /** Stages that show its suggestions. */
  offered: string[];
  policyHref: string;
  auditHref: string;
  mayStart: boolean;
}

const link = 'underline underline-offset-2';

/** Progress and use of the promoted model. */
function SeenPanel({ slug, state, draws, offered, policyHref, auditHref, mayStart }: SeenPanelProps) {
  const { predicting, images, seen } = state;
  const isRunning = predicting !== null && isActiveJob(predicting);
  return (
    <Panel
      title="In use"
      description="The promoted model predicts every image of the project."
      actions={mayStart && !isRunning && seen < images && <LookAgain slug={slug} />}
    >
      <div className="flex flex-col gap-4">
        <RefreshWhile active={isRunning} />
        {predicting && isRunning && <JobProgress {...toProgress(predicting)} />}
        {predicting?.state === 'failed' && <FormError>{predicting.error}</FormError>}
        {typeof draws === 'string' && <FormError>{draws}</FormError>}
        <DefinitionList
          items={[
            {
              term: 'Predicted images',
              value: `${formatNumber(seen)} of ${formatNumber(images)}`,
            },
            {
              term: 'Suggestions',
              value:
                typeof draws === 'number' && draws > 0 ? (
                  offered.length > 0 ? (
                    <>
                      shown in {offered.join(', ')}{' '}
                      <Link href={policyHref} className={link}>
                        (policy)
                      </Link>
                    </>
                  ) : (
                    <>
                      off. Turn on suggestions in the{' '}
                      <Link href={policyHref} className={link}>
                        policy
                      </Link>
                    </>
                  )
                ) : (
                  'none (the model predicts no masks)'
                ),
            },
            {
              term: 'Audit',
              value: (
                <Link href={auditHref} className={link}>
                  labels with the largest disagreement
                </Link>
              ),
            },
          ]}
        />
      </div>
    </Panel>
  );
}
