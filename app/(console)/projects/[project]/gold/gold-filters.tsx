import { Button } from '@/app/_ui/button';
import { Select } from '@/app/_ui/forms';
import { goldPools } from '@/db/schema';
import type { DatasetSchema } from '@/lib/core/schema';
import type { CrowdStage } from '@/lib/services/crowd/overview/crowd-stages';
import { poolNames } from './pool-names';
import type { GoldFilter } from './read-gold-filter';
import { targetName } from './target-name';

interface Props {
  path: string;
  filter: GoldFilter;
  stages: CrowdStage[];
  targets: string[];
  schema: DatasetSchema | null;
}

/** A plain form, so that every filter has its own URL. */
export function GoldFilters({ path, filter, stages, targets, schema }: Props) {
  return (
    <search>
      <form action={path} className="flex flex-wrap items-center gap-2">
        {filter.state && <input type="hidden" name="state" value={filter.state} />}
        <Select
          name="stage"
          aria-label="Stage"
          className="w-44"
          defaultValue={filter.stageId ?? ''}
          options={[
            { value: '', label: 'All stages' },
            ...stages.map(({ id, name }) => ({ value: id, label: name })),
          ]}
        />
        <Select
          name="pool"
          aria-label="Pool"
          className="w-44"
          defaultValue={filter.pool ?? ''}
          options={[
            { value: '', label: 'All pools' },
            ...goldPools.map((pool) => ({ value: pool, label: poolNames[pool] })),
          ]}
        />
        <Select
          name="target"
          aria-label="Target"
          className="w-44"
          defaultValue={filter.target ?? ''}
          options={[
            { value: '', label: 'All targets' },
            ...targets.map((id) => ({ value: id, label: targetName(schema, id) })),
          ]}
        />
        <Button type="submit">Filter</Button>
      </form>
    </search>
  );
}
