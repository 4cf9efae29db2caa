import { HeatMap } from '@/app/_ui/charts';
import { formatNumber } from '@/lib/core/format';
import type { WorkerCheck } from '@/lib/services/crowd/overview/worker-stages';
import { confusionOf, NOTHING } from '@/lib/services/curation/overview/confusion';

interface Props {
  checks: WorkerCheck[];
  nameOf: (target: string) => string;
}

/** Which attributes the worker misses, and which ones are marked instead. */
export function ConfusionMap({ checks, nameOf }: Props) {
  const scores = checks.map(({ score }) => score ?? {});
  const { missed, marked, counts } = confusionOf(scores);
  return (
    <HeatMap
      title="Missed, and marked instead"
      note={`Counts in ${formatNumber(checks.length)} checks and exam items. Rows: present but not marked.`}
      rows={missed.map(nameOf)}
      columns={marked.map((id) => (id === NOTHING ? 'nothing' : nameOf(id)))}
      values={counts.map((row) => row.map((count) => (count > 0 ? count : null)))}
      rowTitle="Missed"
      columnTitle="Marked"
      domain={[0, Math.max(1, ...counts.flat())]}
      format={(value) => formatNumber(value)}
    />
  );
}
