import { EmptyState } from '@/app/_ui/empty-state';
import { Panel } from '@/app/_ui/panel';
import type { Explained } from '@/lib/core/quality/next-step';
import { EvidenceChart } from './evidence-chart';

interface Props {
  stages: readonly { id: string; name: string }[];
  evidence: readonly { stageId: string; tests: readonly Explained[] }[];
  decisions: readonly {
    id: string;
    stageId: string | null;
    target: string | null;
    at: Date;
    verdict: string;
  }[];
  nameOf: (target: string) => string;
}

/** Targets without any evidence are left out: a stage can have dozens. */
const isWorthShowing = ({ target, points, highest }: Explained): boolean =>
  points.length > 0 && (target === null || highest >= 3);

/** The evidence of each sequential test over time, its limit, and what would happen next. */
export function EvidencePanel(props: Props) {
  return (
    <Panel title="Evidence over time" description={evidenceExplained}>
      <EvidenceCharts {...props} />
    </Panel>
  );
}

export const evidenceExplained =
  '1 is no evidence. A good worker reaches 10 with a probability of at most 10%, 100 with at most 1%. At the limit the worker is stopped.';

export function EvidenceCharts({ stages, evidence, decisions, nameOf }: Props) {
  const charts = evidence.flatMap(({ stageId, tests }) =>
    tests.filter(isWorthShowing).map((test) => ({ stageId, test })),
  );
  if (charts.length === 0)
    return <EmptyState title="No checks yet">The evidence appears after the first hidden checks.</EmptyState>;
  return (
    <div className="grid gap-6 lg:grid-cols-2 min-[100rem]:grid-cols-3">
      {charts.map(({ stageId, test }) => (
        <EvidenceChart
          key={`${stageId} ${test.rule} ${test.measure} ${test.target}`}
          title={titleOf(stages.find(({ id }) => id === stageId)?.name ?? '', test, nameOf)}
          test={test}
          next={nextOf(test)}
          moments={decisions
            .filter((decision) => decision.stageId === stageId && decision.target === test.target)
            .map(({ id, at, verdict }) => ({ id, at, verdict }))}
        />
      ))}
    </div>
  );
}

function titleOf(stage: string, { measure, target }: Explained, nameOf: (id: string) => string): string {
  return `${stage}: ${target === null ? measure : nameOf(target)}`;
}

const steps = { hint: 'hint', refresher: 'practice', pause: 'pause', end: 'end' } as const;

function nextOf({ isInForce, atLimit, failuresToLimit, current, limit, target }: Explained): string {
  if (!isInForce) return 'This rule is disabled and has no effect.';
  if (!atLimit) return 'No further automatic action.';
  const step = `${steps[atLimit]}${target === null ? '' : ' for this part or attribute'}`;
  if (current >= limit) return `The limit is reached. Next step: ${step}.`;
  if (failuresToLimit === null)
    return `Next step at the limit: ${step}. It takes more than 50 bad images in a row.`;
  const images = failuresToLimit === 1 ? '1 more bad image' : `${failuresToLimit} more bad images in a row`;
  return `${images} would lead to: ${step}.`;
}
