import { LineChart } from '@/app/_ui/charts';
import { DefinitionList } from '@/app/_ui/definition-list';
import { EmptyState } from '@/app/_ui/empty-state';
import { Panel } from '@/app/_ui/panel';
import { formatCount, formatNumber, formatPercent } from '@/lib/core/format';
import type { JobSpec } from '@/lib/core/training-spec';
import { changedSettings } from '@/lib/services/training/report/changed-settings';
import { type Curves, eventText, thin } from '@/lib/services/training/report/curves-of';
import type { StoredEvent } from '@/lib/services/training/runs/keep-events';
import { specText } from '../run-words';

const LINES = 60;

export function WarningPanel({ events }: { events: StoredEvent[] }) {
  const messages = [
    ...new Set(
      events.filter(({ kind }) => kind === 'warning').map(({ document }) => String(document.message)),
    ),
  ];
  if (messages.length === 0) return null;
  return (
    <Panel title={formatCount(messages.length, 'warning')}>
      <ul className="flex list-disc flex-col gap-1 pl-4">
        {messages.map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
    </Panel>
  );
}

const clock = (at: Date): string => at.toISOString().slice(11, 19);

/** The live log: events reported by the trainer, newest first. */
export function ToldPanel({ events }: { events: StoredEvent[] }) {
  const lines = events
    .flatMap((event) => {
      const text = eventText(event);
      return text ? [{ seq: event.seq, at: event.at, text }] : [];
    })
    .toReversed()
    .slice(0, LINES);
  if (lines.length === 0) return null;
  return (
    <Panel title="Log" description="Events reported by the trainer, newest first. Times are in UTC." flush>
      <ol
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard.
        tabIndex={0}
        className="flex max-h-80 flex-col gap-0.5 overflow-y-auto p-4 text-xs"
      >
        {lines.map(({ seq, at, text }) => (
          <li key={seq} className="flex gap-3">
            <span className="shrink-0 text-ink-3 tabular-nums">{clock(at)}</span>
            <span className="min-w-0 wrap-anywhere">{text}</span>
          </li>
        ))}
      </ol>
    </Panel>
  );
}

/** The end of the trainer's output, if there is any. Contains Python errors. */
export const OutputPanel = ({ tail }: { tail: string | null }) =>
  tail?.trim() ? (
    <Panel title="Output" description="The last lines that the trainer printed." flush>
      <pre
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard.
        tabIndex={0}
        className="max-h-80 overflow-auto p-4 font-mono text-xs leading-5"
      >
        {tail}
      </pre>
    </Panel>
  ) : null;

/** Changed settings and the complete spec. */
export function SpecDetails({ spec }: { spec: JobSpec }) {
  const changed = Object.entries(changedSettings(spec));
  return (
    <Panel
      title="Settings"
      description={changed.length > 0 ? `Differences from the preset ${spec.preset}.` : 'As in the preset.'}
    >
      <div className="flex flex-col gap-3">
        {changed.length > 0 && (
          <DefinitionList
            items={changed.map(([term, value]) => ({
              term,
              value: <span className="font-mono text-xs">{value}</span>,
            }))}
          />
        )}
        <details>
          <summary className="w-fit cursor-pointer text-ink-2">Complete spec</summary>
          <pre
            // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard.
            tabIndex={0}
            className="mt-2 max-h-96 overflow-auto rounded-md bg-sunken p-3 font-mono text-xs leading-5"
          >
            {specText(spec)}
          </pre>
        </details>
      </div>
    </Panel>
  );
}

interface Props {
  curves: Curves;
  spec: JobSpec;
  isOver: boolean;
}

const lossWords = ({ model }: JobSpec): string =>
  model.arch === 'baseline' ? 'Class loss.' : 'Training: class and masks, weighted. Validation: class.';

/** Learning curves: loss and accuracy by step, over all stages. */
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
  // The axis starts at 0, so that the first epoch is a point at its end.
  const steps: [number, number] = [
    0,
    Math.max(1, ...losses.flatMap(({ points }) => points.map(({ x }) => x))),
  ];
  if (losses.length === 0)
    return (
      <Panel title="Curves" flush>
        <EmptyState title={isOver ? 'No measurements' : 'No measurements yet'}>
          {isOver
            ? 'The run ended before its first epoch was complete. Its log is below.'
            : 'Loss and accuracy appear after the first epoch; the page updates automatically.'}
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
