import { LineChart } from '@/app/_ui/charts';
import { EmptyState } from '@/app/_ui/empty-state';
import { Panel } from '@/app/_ui/panel';
import { formatNumber, formatPercent } from '@/lib/core/format';
import type { JobSpec } from '@/lib/core/training-spec';
import { type Curves, thin } from '@/lib/services/training/report/curves-of';

interface Props {
  curves: Curves;
  spec: JobSpec;
  isOver: boolean;
}

const lossWords = ({ model }: JobSpec): string =>
  model.arch === 'baseline' ? 'Class loss.' : 'Training: class and masks, weighted. Validation: class.';

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
  // From the beginning on: a first epoch is a point at its end, not a scale of its own.
  const steps: [number, number] = [
    0,
    Math.max(1, ...losses.flatMap(({ points }) => points.map(({ x }) => x))),
  ];
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
          note={[lossWords(spec), ...stages].join(' ')}
          x={{ title: 'Step', domain: steps }}
          y={{ title: 'Loss' }}
          series={losses}
          width={620}
        />
        <LineChart
          title="Accuracy"
          note={['Bands are 95 % intervals of the validation images.', ...stages].join(' ')}
          x={{ title: 'Step', domain: steps }}
          y={{ title: 'Accuracy', domain: [0, 1], format: (value) => formatPercent(value, 0) }}
          series={shares}
          width={620}
        />
      </div>
    </Panel>
  );
}
