import Link from 'next/link';
import { Button } from '@/app/_ui/button';
import { EmptyState } from '@/app/_ui/empty-state';
import { Field, Select } from '@/app/_ui/forms';
import { Panel } from '@/app/_ui/panel';
import type { Query } from '@/app/_ui/table';
import type { CrowdStage } from '@/lib/services/crowd/overview/crowd-stages';
import type { TriedEvidence } from '@/lib/services/crowd/overview/try-rules';
import { EvidenceCharts, evidenceExplained } from '../evidence-panel';

interface Props {
  path: string;
  /** Parent path of the pages of workers. */
  crowdPath: string;
  /** Query of this page, which contains the draft rules. */
  query: Query;
  workers: readonly { id: string; name: string }[];
  chosen: { id: string; name: string } | null;
  stages: readonly CrowdStage[];
  evidence: readonly TriedEvidence[];
  nameOf: (target: string) => string;
}

/** The evidence about one worker as if the rules had always been active, with limits and next steps. */
export function WorkerTrial({ path, crowdPath, query, workers, chosen, stages, evidence, nameOf }: Props) {
  const kept = Object.entries(query).flatMap(([name, value]) =>
    name === 'worker' ? [] : [value ?? []].flat().map((each) => ({ name, value: each })),
  );
  const options = [
    { value: '', label: 'Choose a worker' },
    ...workers.map(({ id, name }) => ({ value: id, label: name })),
  ];
  return (
    <Panel
      title="Evidence about one worker"
      description={`Computed as if these rules had always been active, until the worker is stopped. ${evidenceExplained}`}
    >
      <form action={path} className="mb-4 flex flex-wrap items-end gap-3">
        {kept.map(({ name, value }) => (
          <input key={`${name} ${value}`} type="hidden" name={name} value={value} />
        ))}
        <Field label="Worker">
          {(control) => (
            <Select
              {...control}
              key={chosen?.id}
              name="worker"
              defaultValue={chosen?.id ?? ''}
              options={options}
              className="w-56"
            />
          )}
        </Field>
        <Button type="submit">Show evidence</Button>
        {chosen && (
          <Link href={`${crowdPath}/${chosen.id}`} className="py-2 underline-offset-2 hover:underline">
            Page of {chosen.name}
          </Link>
        )}
      </form>
      {chosen ? (
        <EvidenceCharts
          stages={stages}
          evidence={evidence}
          decisions={evidence.flatMap(({ decisions }) => decisions)}
          nameOf={nameOf}
        />
      ) : (
        <EmptyState title="No worker selected">
          The charts show the evidence of each test over time, its limit, and what would happen next.
        </EmptyState>
      )}
    </Panel>
  );
}
