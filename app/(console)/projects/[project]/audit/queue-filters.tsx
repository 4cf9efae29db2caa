import { z } from 'zod';
import { Button, ButtonLink } from '@/app/_ui/button';
import { Select } from '@/app/_ui/forms';
import { formatNumber } from '@/lib/core/format';
import { warningOf } from '@/lib/core/quality/warnings';
import {
  type Counted,
  type QueueCounts,
  type QueueFilter,
  queueOrders,
} from '@/lib/services/curation/audit/queue';

type Props = {
  path: string;
  filter: QueueFilter;
  counts: QueueCounts;
  stageNames: ReadonlyMap<string, string>;
  targetNames: ReadonlyMap<string, string>;
  /** Describes the image or slice whose labels are shown. */
  only?: string;
};

/** A plain form, so that every filter has its own URL. */
export function QueueFilters({ path, filter, counts, stageNames, targetNames, only }: Props) {
  const isFiltered = Object.values(filter).some((value) => value !== undefined);
  return (
    <form action={path} className="flex flex-wrap items-center gap-2">
      <Select
        name="stage"
        aria-label="Stage"
        options={options('All stages', counts.stages, (id) => stageNames.get(id) ?? id)}
        defaultValue={filter.stageId ?? ''}
        className="w-36"
      />
      <Select
        name="target"
        aria-label="Target"
        options={options('All targets', counts.targets, (id) => targetNames.get(id) ?? id)}
        defaultValue={filter.target ?? ''}
        className="w-36"
      />
      <Select
        name="warning"
        aria-label="Warning"
        options={options('With and without warning', counts.warnings, (id) => warningOf(id)?.title ?? id)}
        defaultValue={filter.warning ?? ''}
        className="w-52"
      />
      <Select
        name="class"
        aria-label="Class"
        options={options('All classes', counts.classes, (id) => id)}
        defaultValue={filter.className ?? ''}
        className="w-32"
      />
      {(counts.disagreeing > 0 || filter.order) && (
        <Select
          name="order"
          aria-label="Order"
          options={[
            { value: '', label: 'Highest risk first' },
            { value: 'disagreement', label: 'Model disagrees most' },
          ]}
          defaultValue={filter.order ?? ''}
          className="w-44"
        />
      )}
      {filter.imageId && <input type="hidden" name="image" value={filter.imageId} />}
      {filter.sliceId && <input type="hidden" name="slice" value={filter.sliceId} />}
      <Button type="submit">Filter</Button>
      {only && <span className="text-xs text-ink-2">Only labels of {only}.</span>}
      {isFiltered && (
        <ButtonLink href={path} variant="quiet">
          Show all
        </ButtonLink>
      )}
    </form>
  );
}

const options = (all: string, counted: readonly Counted[], nameOf: (id: string) => string) => [
  { value: '', label: all },
  ...counted.map(({ value, n }) => ({ value, label: `${nameOf(value)} (${formatNumber(n)})` })),
];

const name = z.string().min(1).max(80).optional().catch(undefined);

const Filter = z.object({
  stage: z.uuid().optional().catch(undefined),
  target: name,
  warning: name,
  class: name,
  image: z.uuid().optional().catch(undefined),
  slice: z.uuid().optional().catch(undefined),
  order: z.enum(queueOrders).optional().catch(undefined),
});

/** Reads the filter from a URL and ignores invalid values. */
export function readQueueFilter(query: Record<string, string | string[] | undefined>): QueueFilter {
  const { stage, target, warning, class: className, image, slice, order } = Filter.parse(query);
  return {
    stageId: stage,
    target,
    warning,
    className,
    imageId: image,
    sliceId: slice,
    order: order === 'risk' ? undefined : order,
  };
}

/** Writes a filter as URL parameters. */
export function queueQuery(filter: QueueFilter): URLSearchParams {
  const { stageId, target, warning, className, imageId, sliceId, order } = filter;
  const query = new URLSearchParams();
  if (stageId) query.set('stage', stageId);
  if (target) query.set('target', target);
  if (warning) query.set('warning', warning);
  if (className) query.set('class', className);
  if (imageId) query.set('image', imageId);
  if (sliceId) query.set('slice', sliceId);
  if (order) query.set('order', order);
  return query;
}
