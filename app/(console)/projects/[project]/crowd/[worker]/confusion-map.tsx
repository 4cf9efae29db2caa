import { HeatMap } from '@/app/_ui/charts';
import { formatNumber } from '@/lib/core/format';
import type { WorkerCheck } from '@/lib/services/crowd/overview/worker-stages';
import { confusionOf, NOTHING } from '@/lib/services/curation/overview/confusion';

interface Props {
  checks: WorkerCheck[];
  nameOf: (target: string) => string;
}

/** What the person marks instead of what is there. */
export function ConfusionMap({ checks, nameOf }: Props) {
  const scores = checks.map(({ score }) => score ?? {});
  const { missed, marked, counts } = confusionOf(scores);
  return (
    <HeatMap
      title="Missed, and marked instead"
      note={`Times, in ${formatNumber(checks.length)} checks and exam items. Rows: was there and was not marked.`}
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
