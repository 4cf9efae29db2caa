import { LineChart } from '@/app/_ui/charts';
import { EmptyState } from '@/app/_ui/empty-state';
import { Panel } from '@/app/_ui/panel';
import { formatNumber, formatPercent } from '@/lib/format';
import { type Curves, thin } from '@/lib/training/report/curves-of';
import type { JobSpec } from '@/lib/training/spec';

interface Props {
  curves: Curves;
  spec: JobSpec;
  /** Images of the attack at validation, where there is one. */
  isOver: boolean;
}

/** How the run learns: loss and accuracy by step, over all stages. */
export function CurvePanels({ curves: { loss, accuracy, stageStarts }, spec, isOver }: Props) {
  const stages = stageStarts.map(
    ({ stage, step }) => `Stage ${spec.stages[stage]?.name ?? stage + 1} from step ${formatNumber(step)}.`,
  );
  const losses = [
    { name: 'Training', points: thin(loss.train) },
    { name: 'Validation', points: loss.validation },
  ].filter(({ points }) => points.length > 0);
  const shares = [
    { name: 'Training', points: thin(accuracy.train) },
    { name: 'Val. clean', points: accuracy.clean },
    { name: 'Val. attacked', points: accuracy.adversarial },
  ].filter(({ points }) => points.length > 0);
  if (losses.length === 0)
    return (
      <Panel title="Curves" flush>
        <EmptyState title={isOver ? 'Nothing was measured' : 'Nothing is measured yet'}>
          {isOver
            ? 'The run ended before its first epoch was over. What it told is below.'
            : 'Loss and accuracy appear after the first epoch; the page reads itself anew.'}
        </EmptyState>
      </Panel>
    );
  return (
    <Panel title="Curves">
      <div className="grid items-start gap-8 lg:grid-cols-2">
        <LineChart
          title="Loss"
          note={['Training: class and mask loss as weighted; validation: class loss.', ...stages].join(' ')}
          x={{ title: 'Step' }}
          y={{ title: 'Loss' }}
          series={losses}
          width={620}
        />
        <LineChart
          title="Accuracy"
          note={['Bands are 95 % intervals of the validation images.', ...stages].join(' ')}
          x={{ title: 'Step' }}
          y={{ title: 'Accuracy', domain: [0, 1], format: (value) => formatPercent(value, 0) }}
          series={shares}
          width={620}
        />
      </div>
    </Panel>
  );
}
