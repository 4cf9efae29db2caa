import { EmptyState } from '@/app/_ui/empty-state';
import { Panel } from '@/app/_ui/panel';
import { SmallTable } from '@/app/_ui/table';
import { formatNumber, formatPercent } from '@/lib/core/format';
import {
  type Comparison,
  ENOUGH,
  type Figure,
  type SuggestionEffect,
} from '@/lib/services/training/loop/suggestion-effect';

interface Row {
  name: string;
  description: string;
  of: Comparison;
  write(value: number): string;
}

const seconds = (value: number) => `${formatNumber(value, 1)} s`;
const level = (value: number) => formatNumber(value, 3);
const percent = (value: number) => formatPercent(value);

const rowsOf = ({ time, gold, agreement, wrong }: SuggestionEffect): Row[] => [
  { name: 'Active time', description: 'median per item', of: time, write: seconds },
  { name: 'IoU with gold', description: 'mean, hidden checks', of: gold, write: level },
  {
    name: 'Agreement with the label',
    description:
      'mean IoU, items with several answers; no measure of quality: the label was made of these answers, and a shared outline makes them alike',
    of: agreement,
    write: level,
  },
  { name: 'Error rate', description: 'share of reviewed labels', of: wrong, write: percent },
];

/** Effect of suggestions on time and quality. */
export function EffectPanel({ effect, isOffered }: { effect: SuggestionEffect; isOffered: boolean }) {
  const { shown, withheld, used, unedited } = effect;
  return (
    <Panel
      title="Effect of suggestions"
      description="Suggested outlines are shown or withheld at random; the difference is their effect. 95 % intervals treat answers as independent."
      flush
    >
      {shown + withheld === 0 ? (
        <EmptyState title="No suggestions shown yet">
          {isOffered
            ? 'The comparison starts with the next batches.'
            : 'Turn on suggestions in the policy. A random share of items is shown without them for comparison.'}
        </EmptyState>
      ) : (
        <>
          <SmallTable
            caption="Suggestions shown and withheld"
            rows={rowsOf(effect)}
            rowKey={({ name }) => name}
            empty={null}
            columns={[
              {
                key: 'name',
                title: 'Measure',
                cell: ({ name, description }) => (
                  <span className="flex flex-col">
                    <span className="font-medium">{name}</span>
                    <span className="text-xs text-ink-3">{description}</span>
                  </span>
                ),
              },
              {
                key: 'shown',
                title: 'Shown',
                numeric: true,
                cell: ({ of, write }) => <Estimate figure={of.shown} write={write} />,
              },
              {
                key: 'withheld',
                title: 'Withheld',
                numeric: true,
                cell: ({ of, write }) => <Estimate figure={of.withheld} write={write} />,
              },
              {
                key: 'difference',
                title: 'Difference',
                numeric: true,
                cell: ({ of: { difference }, write }) =>
                  difference ? (
                    <Estimate figure={difference} write={(value) => signed(value, write)} />
                  ) : (
                    <span className="text-ink-3">not enough yet</span>
                  ),
              },
            ]}
          />
          <p className="border-t border-line px-4 py-3 text-xs text-ink-2 tabular-nums">
            {formatNumber(shown)} answers with a suggestion, {formatNumber(withheld)} without.{' '}
            {formatNumber(used)} used the suggestion, {formatNumber(unedited)} of them without edits. A
            difference needs at least {ENOUGH} cases on each side.
          </p>
        </>
      )}
    </Panel>
  );
}

interface EstimateProps {
  figure: (Omit<Figure, 'n'> & { n?: number }) | null;
  write(value: number): string;
}

function Estimate({ figure, write }: EstimateProps) {
  if (!figure) return <span className="text-ink-3">–</span>;
  const { value, low, high, n } = figure;
  return (
    <span className="flex flex-col items-end whitespace-nowrap">
      <span>{write(value)}</span>
      <span className="text-xs text-ink-3">
        {Number.isFinite(low) && Number.isFinite(high) ? `${write(low)} to ${write(high)}` : 'one case'}
        {n !== undefined && `, n = ${formatNumber(n)}`}
      </span>
    </span>
  );
}

const signed = (value: number, write: (value: number) => string): string =>
  value > 0 ? `+${write(value)}` : write(value);
