import { can } from '@/app/_shell/can';
import { database } from '@/db';
import type { PageProject } from '@/lib/services/access/page';
import { effectivePolicy } from '@/lib/services/crowd/work/effective-policy';
import { drawsMasks } from '@/lib/services/crowd/work/pay-for';
import { drawable, readServing } from '@/lib/services/inference/predictions/serving-contract';
import { loopState } from '@/lib/services/training/loop/loop-state';
import { suggestionEffect } from '@/lib/services/training/loop/suggestion-effect';
import type { ModelView } from '@/lib/services/training/models/list-models';
import { AskNextPanel } from './ask-next-panel';
import { EffectPanel } from './effect-panel';
import { SeenPanel } from './seen-panel';

/** What a promoted model does in its project. Of one that was promoted before, what its outlines were worth stays. */
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

/** How many kinds of masks it draws, or why it cannot be used. */
function drawsOf({ contract }: ModelView): number | string {
  try {
    return drawable(readServing(contract)).size;
  } catch (error) {
    return (error as Error).message;
  }
}
