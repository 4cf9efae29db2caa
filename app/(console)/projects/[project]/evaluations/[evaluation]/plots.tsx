import { Panel } from '@/app/_ui/panel';
import type { Plot } from '@/lib/core/robustness/report/report';
import { type ModelPoint, PlotOf } from './plot-of';

/** What is looked at first, in this order; all others follow. */
const standard = [
  'noise-scatter',
  'noise-curves',
  'rfs-curve',
  'irfs-distribution',
  'attribute-models',
  'attribute-ablation',
  'corruptions',
  'attack-curve',
];

interface Props {
  plots: Plot[];
  path: string;
  /** Of comparable evaluations, for the plot that holds models against each other. */
  models: readonly ModelPoint[];
}

export function Plots({ plots, path, models }: Props) {
  if (plots.length === 0) return null;
  const first = standard.flatMap((id) => plots.find((plot) => plot.id === id) ?? []);
  const further = plots.filter(({ id }) => !standard.includes(id));
  return (
    <>
      {first.length > 0 && <PlotPanel title="Standard plots" plots={first} path={path} models={models} />}
      {further.length > 0 && <PlotPanel title="Further plots" plots={further} path={path} models={models} />}
    </>
  );
}

const PlotPanel = ({ title, ...props }: Props & { title: string }) => (
  <Panel
    title={title}
    description="A point, a bar or a cell shows its images. Each plot can be kept as SVG and as CSV."
  >
    <div className="grid items-start gap-6 xl:grid-cols-2 2xl:grid-cols-3">
      {props.plots.map((plot) => (
        <PlotOf key={plot.id} plot={plot} path={props.path} models={props.models} />
      ))}
    </div>
  </Panel>
);
