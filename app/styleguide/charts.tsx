import { BarChart, HeatMap, Histogram, LineChart, Scatter } from '@/app/_ui/charts';
import { Panel, Section } from '@/app/_ui/panel';
import { binValues } from '@/lib/core/charts';
import { formatPercent } from '@/lib/core/format';
import { attributes, sampleNumbers, sampleScores } from './samples';

const percent = (value: number) => formatPercent(value, 0);
const two = (value: number) => value.toFixed(2);

const bars = sampleNumbers(5, attributes.length).map((value) => 0.5 + value * 0.45);
const shifted = sampleNumbers(8, attributes.length).map((value, index) => (bars[index] ?? 0) - value * 0.25);

const epochs = Array.from({ length: 31 }, (_, epoch) => epoch);
const curve = (seed: number, top: number) => {
  const noise = sampleNumbers(seed, epochs.length);
  return epochs.map((x) => {
    const y = top * (1 - Math.exp(-x / 7)) + 0.1 + ((noise[x] ?? 0) - 0.5) * 0.02;
    return { x, y, low: y - 0.03, high: y + 0.03 };
  });
};

const cloud = (seed: number, middle: number) => {
  const x = sampleScores(seed, 60, middle, 0.12);
  const y = sampleScores(seed + 1, 60, middle - 0.08, 0.12);
  return x.map((value, index) => ({ x: value, y: y[index] ?? 0, label: `worker ${seed}-${index + 1}` }));
};

const classes = ['bird', 'car', 'cat', 'deer', 'dog', 'equine', 'frog', 'plane', 'ship', 'truck'];
const confusion = classes.map((_, row) =>
  sampleNumbers(20 + row, classes.length).map((value, column) =>
    row === column ? 0.8 + value * 0.18 : value < 0.2 ? null : value * 0.09,
  ),
);

export function Charts() {
  return (
    <Section title="Charts" description="Drawn on the server; a table behind each; SVG and CSV to take away.">
      <div className="grid grid-cols-[repeat(auto-fit,minmax(min(31rem,100%),1fr))] gap-4">
        <Panel>
          <BarChart
            title="Accuracy by attribute"
            note="n = 4 200; bars end at the mean, whiskers are 95 % intervals"
            categories={attributes}
            series={[
              {
                name: 'Original',
                values: bars,
                intervals: bars.map((value) => [value - 0.03, value + 0.03] as const),
              },
              { name: 'Background removed', values: shifted },
            ]}
            domain={[0, 1]}
            format={percent}
          />
        </Panel>
        <Panel>
          <div className="flex flex-col gap-6">
            <LineChart
              title="Validation accuracy"
              note="Three seeds; the band is the range"
              x={{ title: 'Epoch' }}
              y={{ title: 'Accuracy', format: percent, domain: [0, 1] }}
              series={[
                { name: 'ResNet-50', points: curve(11, 0.78) },
                { name: 'ViT-S', points: curve(12, 0.7) },
                { name: 'Part head', points: curve(13, 0.82) },
              ]}
            />
            <Histogram
              title="Exam scores"
              note="n = 480"
              bins={binValues(sampleScores(31, 480, 0.72, 0.2), { count: 24, domain: [0, 1] })}
              axisTitle="Mean IoU"
              format={two}
              mark={{ at: 0.7, label: 'bar 0.70' }}
            />
          </div>
        </Panel>
        <Panel>
          <Scatter
            title="Speed against quality"
            note="One mark per worker"
            x={{ title: 'Precision', format: percent }}
            y={{ title: 'Recall', format: percent }}
            series={[
              { name: 'Cohort A', points: cloud(41, 0.8) },
              { name: 'Cohort B', points: cloud(51, 0.68) },
              { name: 'Cohort C', points: cloud(61, 0.88) },
            ]}
          />
        </Panel>
        <Panel>
          <HeatMap
            title="Confusion"
            note="Share of the row; a dash where no image fell"
            rows={classes}
            columns={classes}
            rowTitle="True"
            columnTitle="Said"
            values={confusion}
            format={two}
            domain={[0, 1]}
          />
        </Panel>
        <Panel>
          <Histogram title="Nothing yet" bins={[]} axisTitle="Seconds" />
        </Panel>
      </div>
    </Section>
  );
}
