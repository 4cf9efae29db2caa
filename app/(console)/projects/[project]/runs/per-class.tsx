import { BarChart } from '@/app/_ui/charts';
import { Panel } from '@/app/_ui/panel';
import { formatPercent } from '@/lib/core/format';
import {
  attackName,
  cleanTest,
  strongestTest,
  type TestOutcome,
} from '@/lib/services/training/report/curves-of';

interface Props {
  tests: TestOutcome[];
  classes: string[];
}

/** Which classes a model knows, and which fall first. */
export function PerClass({ tests, classes }: Props) {
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
