import { Search } from 'lucide-react';
import type { ReactNode } from 'react';
import { Input } from '../forms';
import { ColumnChooser } from './column-chooser';
import { Pager, type PagerProps } from './pager';
import { CsvLink, Table, type TableProps } from './table';
import type { Query } from './table-state';

type DataTableProps<Row> = TableProps<Row> & {
  /** Label of the search box, which names the searched fields. Without it there is no search box. */
  filter?: string;
  /** Further filters, left of the tools. */
  filters?: ReactNode;
  /** Address of all matching rows as CSV. */
  csv?: string;
  pager: Pick<PagerProps, 'total' | 'next' | 'previous'>;
};

/** A table with search box, column chooser, CSV link and pager. */
export function DataTable<Row>({ filter, filters, csv, pager, ...table }: DataTableProps<Row>) {
  const { columns, state, path, query, rows } = table;
  const choosable = columns
    .filter((column) => !column.untitled)
    .map(({ key, title, fixed }) => ({ key, title, fixed }));
  return (
    <div className="overflow-hidden rounded-lg border border-line bg-surface">
      <div className="flex flex-wrap items-center gap-2 border-b border-line px-4 py-1.5">
        {filter && <TableFilter label={filter} path={path} query={query} />}
        {filters}
        <div className="ml-auto flex gap-1">
          <ColumnChooser columns={choosable} shown={state.columns} path={path} query={query} />
          {csv && <CsvLink href={csv} />}
        </div>
      </div>
      <Table {...table} />
      {(rows.length > 0 || query.after || query.before) && (
        <div className="border-t border-line px-1">
          <Pager path={path} query={query} shown={rows.length} {...pager} />
        </div>
      )}
    </div>
  );
}

interface TableFilterProps {
  /** The searched fields: "Name or e-mail". */
  label: string;
  name?: string;
  path: string;
  query: Query;
}

/** A plain form, so that it works before scripts have loaded and the result has its own URL. */
function TableFilter({ label, name = 'q', path, query }: TableFilterProps) {
  const kept = Object.entries(query).filter(([key]) => ![name, 'after', 'before'].includes(key));
  const value = query[name];
  return (
    <search>
      <form action={path} className="relative w-64 max-w-full">
        {kept.map(([key, each]) => (
          <input key={key} type="hidden" name={key} value={Array.isArray(each) ? each[0] : each} />
        ))}
        <Search
          aria-hidden
          className="pointer-events-none absolute top-1/2 left-2 size-3.5 -translate-y-1/2 text-ink-3"
        />
        <Input
          key={String(value)}
          type="search"
          name={name}
          defaultValue={Array.isArray(value) ? value[0] : value}
          aria-label={label}
          placeholder={label}
          className="pl-7"
        />
      </form>
    </search>
  );
}
