import { Button } from '@/app/_ui/button';
import { Input, Select } from '@/app/_ui/forms';
import type { CrowdStage } from '@/lib/services/crowd/overview/crowd-stages';
import { type WorkerState, workerStates } from '@/lib/services/crowd/overview/list-workers';
import type { WorkerFilter } from './read-worker-filter';

const states = [
  { value: '', label: 'Any state' },
  ...workerStates.map((state: WorkerState) => ({ value: state, label: state })),
];

interface Props {
  path: string;
  filter: WorkerFilter;
  stages: CrowdStage[];
  /** Preserved when the filter changes. */
  sort: string | undefined;
  columns: string | undefined;
}

/** A plain form, so that every filter has its own URL. */
export function WorkerFilters({ path, filter, stages, sort, columns }: Props) {
  const kept = Object.entries({ sort, columns }).filter(([, value]) => value !== undefined);
  return (
    <search>
      <form action={path} className="flex flex-wrap items-center gap-2">
        {kept.map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        <Input
          type="search"
          name="q"
          aria-label="Name or cohort"
          placeholder="Name or cohort"
          defaultValue={filter.search}
          className="w-48"
        />
        <Select
          name="stage"
          aria-label="Stage"
          options={[
            { value: '', label: 'All stages' },
            ...stages.map(({ id, name }) => ({ value: id, label: name })),
          ]}
          defaultValue={filter.stageId ?? ''}
          className="w-40"
        />
        <Select
          name="state"
          aria-label="State"
          options={states}
          defaultValue={filter.state ?? ''}
          className="w-36"
        />
        <Button type="submit">Filter</Button>
      </form>
    </search>
  );
}
