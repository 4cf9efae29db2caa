import type { ReactNode } from 'react';
import { ColumnChooser } from './column-chooser';
import { CsvLink } from './csv-link';
import { Pager, type PagerProps } from './pager';
import { Table, type TableProps } from './table';
import { TableFilter } from './table-filter';

type DataTableProps<Row> = TableProps<Row> & {
  /** What the search box looks through; no box without it. */
  filter?: string;
  /** Further filters, left of the tools. */
  filters?: ReactNode;
  /** Address of all matching rows as CSV. */
  csv?: string;
  pager: Pick<PagerProps, 'total' | 'next' | 'previous'>;
};

/** The table as pages use it: filter, columns, CSV, rows, pager. */
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
