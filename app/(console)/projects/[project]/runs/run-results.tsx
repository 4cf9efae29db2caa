import { BarChart } from '@/app/_ui/charts';
import { EmptyState } from '@/app/_ui/empty-state';
import { Panel } from '@/app/_ui/panel';
import { SmallTable } from '@/app/_ui/table';
import { formatDuration, formatNumber, formatPercent, formatPercentInterval } from '@/lib/core/format';
import {
  attackName,
  cleanTest,
  strongestTest,
  type TestOutcome,
} from '@/lib/services/training/report/curves-of';

/** A radius in units of 1/255. */
function epsWords(eps: TestOutcome['eps']): string {
  if (eps === undefined) return '–';
  const one = (value: number) =>
    formatNumber(value * 255, Number.isInteger(Math.round(value * 2550) / 10) ? 0 : 1);
  return `${(Array.isArray(eps) ? eps : [eps]).map(one).join(', ')}/255`;
}

function howWords({ steps, restarts, iterations, queries, strategy }: TestOutcome): string {
  return (
    [
      strategy,
      steps && `${formatNumber(steps)} steps`,
      restarts && restarts > 1 && `${restarts} restarts`,
      iterations && `${formatNumber(iterations)} iterations`,
      queries && `${formatNumber(queries)} queries`,
    ]
      .filter(Boolean)
      .join(', ') || '–'
  );
}

const brokenWords = ({ brokenBy }: TestOutcome): string =>
  Object.entries(brokenBy)
    // Images that were misclassified without an attack come first in every row.
    .toSorted(([a], [b]) => Number(b === 'clean') - Number(a === 'clean'))
    .map(([attack, n]) => `${attackName(attack)} ${formatNumber(n)}`)
    .join(', ') || '–';

interface Props {
  tests: TestOutcome[];
  isOver: boolean;
  /** False for uploaded models, which have no run to resume. */
  hasRun?: boolean;
}

export function TestTable({ tests, isOver, hasRun = true }: Props) {
  return (
    <Panel
      title="Tests"
      description="On the test images, with the weights of the best validation epoch. 95 % Wilson intervals."
      flush
    >
      <SmallTable
        caption="Tests"
        rows={tests}
        rowKey={(test) => JSON.stringify([test.attack, test.eps, test.strategy, test.steps])}
        empty={
          <EmptyState title={isOver ? 'Not tested' : 'Not tested yet'}>
            {!hasRun
              ? 'The model was not trained here. Evaluate it to measure its accuracy.'
              : isOver
                ? 'The run ended before its tests. Resume it to continue from the last checkpoint.'
                : 'The model is tested when training ends.'}
          </EmptyState>
        }
        columns={[
          {
            key: 'attack',
            title: 'Attack',
            cell: ({ attack }) => <span className="font-medium">{attackName(attack)}</span>,
          },
          { key: 'eps', title: 'ε', numeric: true, cell: ({ eps }) => epsWords(eps) },
          { key: 'how', title: 'Attack settings', cell: howWords },
          {
            key: 'accuracy',
            title: 'Accuracy, 95 %',
            numeric: true,
            cell: ({ accuracy, low, high }) => formatPercentInterval(accuracy, [low, high]),
          },
          { key: 'correct', title: 'Correct', numeric: true, cell: ({ correct }) => formatNumber(correct) },
          { key: 'n', title: 'n', numeric: true, cell: ({ n }) => formatNumber(n) },
          { key: 'broken', title: 'Broken by', cell: brokenWords },
          { key: 'seconds', title: 'Time', numeric: true, cell: ({ seconds }) => formatDuration(seconds) },
        ]}
      />
    </Panel>
  );
}

interface PerClassProps {
  tests: TestOutcome[];
  classes: string[];
}

/** Accuracy by class, clean and under attack. */
export function PerClass({ tests, classes }: PerClassProps) {
  const series = [cleanTest(tests), strongestTest(tests)].flatMap((test) =>
    test && test.perClass.length > 0 ? [test] : [],
  );
  if (series.length === 0 || classes.length === 0) return null;
  return (
    <Panel title="Per class">
      <BarChart
        title="Accuracy by class"
        note="Lines are 95 % intervals (Wilson)."
        categories={classes.map(
          (name, at) => `${name} (n = ${series.map((test) => test.perClass[at]?.n ?? 0).join(', ')})`,
        )}
        domain={[0, 1]}
        format={(value) => formatPercent(value, 0)}
        width={720}
        series={series.map((test) => ({
          name: attackName(test.attack),
          values: classes.map((_, at) => test.perClass[at]?.accuracy ?? null),
          intervals: classes.map((_, at) => {
            const share = test.perClass[at];
            return share && share.n > 0 ? ([share.low, share.high] as const) : null;
          }),
        }))}
      />
    </Panel>
  );
}
