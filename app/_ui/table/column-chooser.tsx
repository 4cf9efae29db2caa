'use client';

import { Columns3 } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { Button } from '../button';
import { Checkbox } from '../forms';
import { Popover } from '../popover';
import { type Query, tableHref } from './table-state';

interface ColumnChooserProps {
  columns: { key: string; title: string; fixed?: boolean }[];
  shown: string[];
  path: string;
  query: Query;
}

export function ColumnChooser({ columns, shown, path, query }: ColumnChooserProps) {
  const router = useRouter();
  const toggle = (key: string) => {
    const next = columns
      .map((column) => column.key)
      .filter((each) => (each === key ? !shown.includes(each) : shown.includes(each)));
    router.replace(tableHref(path, query, { columns: next.join(',') }), { scroll: false });
  };
  return (
    <Popover
      label="Columns"
      align="end"
      trigger={
        <Button variant="quiet" icon={<Columns3 aria-hidden />}>
          Columns
        </Button>
      }
    >
      <div className="flex max-h-80 flex-col gap-1 overflow-y-auto">
        {columns.map((column) => (
          <Checkbox
            key={column.key}
            label={column.title}
            checked={shown.includes(column.key)}
            disabled={column.fixed}
            onChange={() => toggle(column.key)}
          />
        ))}
      </div>
    </Popover>
  );
}
