import { EmptyState } from '@/app/_ui/empty-state';
import { State } from '@/app/_ui/state';
import { SmallTable } from '@/app/_ui/table';
import type { Tone } from '@/app/_ui/tone';
import { formatNumber } from '@/lib/core/format';
import type { CrowdStage } from '@/lib/services/crowd/overview/crowd-stages';
import type { WorkerCheck } from '@/lib/services/crowd/overview/worker-stages';
import { type Drift, driftOf } from '@/lib/services/curation/overview/confusion';
import { Score } from '../score';

const tones: Record<Drift['verdict'], Tone> = {
  better: 'good',
  worse: 'bad',
  'no change to be seen': 'neutral',
};

/** Compares the newest checks of ordinary work with the earlier ones, by stage. */
export function DriftTable({ stages, checks }: { stages: CrowdStage[]; checks: WorkerCheck[] }) {
  const rows = stages.flatMap((stage) => {
    const levels = checks
      .filter((check) => check.stageId === stage.id && check.kind === 'work')
      .map(({ score }) => score?.level ?? score?.iou ?? 0);
    const drift = driftOf(levels);
    return drift ? [{ stage, ...drift }] : [];
  });
  return (
    <SmallTable
      caption="Drift"
      rows={rows}
      rowKey={(row) => row.stage.id}
      empty={
        <EmptyState title="Too few checks">
          After 20 checks in a stage, the newest 15 are compared with those before.
        </EmptyState>
      }
      columns={[
        { key: 'stage', title: 'Stage', cell: (row) => row.stage.name },
        { key: 'early', title: 'Before', numeric: true, cell: (row) => <Score estimate={row.early} /> },
        { key: 'early-n', title: 'n', numeric: true, cell: (row) => formatNumber(row.early.n) },
        { key: 'late', title: 'Newest', numeric: true, cell: (row) => <Score estimate={row.late} /> },
        { key: 'late-n', title: 'n', numeric: true, cell: (row) => formatNumber(row.late.n) },
        {
          key: 'verdict',
          title: 'Change',
          cell: (row) => <State state={row.verdict} tone={tones[row.verdict]} />,
        },
      ]}
    />
  );
}
