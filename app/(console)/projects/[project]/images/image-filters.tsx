import { Button } from '@/app/_ui/button';
import { Input, Select } from '@/app/_ui/forms';
import { formatNumber } from '@/lib/format';
import { type ImageFilter, imageQuery } from './read-image-filter';

type Props = {
  path: string;
  filter: ImageFilter;
  classes: { className: string | null; count: number }[];
};

const states = [
  { value: '', label: 'Any state' },
  { value: 'active', label: 'Active' },
  { value: 'excluded', label: 'Excluded' },
  { value: 'broken', label: 'Broken' },
];

/** A plain form: the filter is the address. */
export function ImageFilters({ path, filter, classes }: Props) {
  const chosen = imageQuery(filter);
  const options = [
    { value: '', label: 'All classes' },
    ...classes.map(({ className, count }) => ({
      value: className ?? '-',
      label: `${className ?? 'no class'} (${formatNumber(count)})`,
    })),
  ];
  return (
    <form action={path} className="flex flex-wrap items-center gap-2">
      <Input
        type="search"
        name="text"
        aria-label="Part of the name"
        placeholder="Part of the name"
        defaultValue={filter.text}
        className="w-56"
      />
      <Select
        name="class"
        aria-label="Class"
        options={options}
        defaultValue={chosen.get('class') ?? ''}
        className="w-52"
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
  );
}
