import { ArrowDown, ArrowUp, Download } from 'lucide-react';
import Link from 'next/link';
import type { ReactNode } from 'react';
import { type ButtonStyle, buttonStyle } from '../button';
import { cn } from '../cn';
import { type Query, sortHref, type TableState } from './table-state';

export interface Column<Row> {
  key: string;
  title: string;
  cell: (row: Row) => ReactNode;
  /** Right-aligned with tabular figures. */
  numeric?: boolean;
  sortable?: boolean;
  /** Shown only when chosen. */
  hidden?: boolean;
  /** Cannot be hidden: the column that names the row. */
  fixed?: boolean;
  /** The title is for screen readers only: the column of a row's buttons. */
  untitled?: boolean;
  className?: string;
}

export interface TableProps<Row> {
  /** What the rows are, for screen readers. */
  caption: string;
  columns: Column<Row>[];
  rows: Row[];
  rowKey: (row: Row) => string;
  state: TableState;
  path: string;
  query: Query;
  empty: ReactNode;
}

function HeaderCell<Row>({ column, table }: { column: Column<Row>; table: TableProps<Row> }) {
  const { state, path, query } = table;
  const sorted = state.sort?.key === column.key ? state.sort : undefined;
  const Arrow = sorted?.descending ? ArrowDown : ArrowUp;
  return (
    <th
      scope="col"
      aria-sort={sorted ? (sorted.descending ? 'descending' : 'ascending') : undefined}
      className={cn(
        'sticky top-0 z-10 h-8 bg-surface px-3 first:ps-4 last:pe-4 text-start text-xs font-medium whitespace-nowrap text-ink-3',
        'shadow-[inset_0_-1px_0_var(--color-line)]',
        column.numeric && 'text-end',
        column.className,
      )}
    >
      {column.sortable ? (
        <Link
          href={sortHref(path, query, state, column.key)}
          scroll={false}
          className={cn(
            'group inline-flex h-6 items-center gap-1 hover:text-ink',
            column.numeric && 'flex-row-reverse',
            sorted && 'text-ink',
          )}
        >
          {column.title}
          <Arrow
            aria-hidden
            className={cn('size-3', sorted ? 'text-accent' : 'opacity-0 group-hover:opacity-60')}
          />
        </Link>
      ) : (
        <span className={column.untitled ? 'sr-only' : undefined}>{column.title}</span>
      )}
    </th>
  );
}

const cellStyle = (column: { numeric?: boolean; className?: string }) =>
  cn(
    'h-7 border-b border-line px-3 py-0.5 first:ps-4 last:pe-4 [tr:last-child>&]:border-b-0',
    column.numeric && 'text-end whitespace-nowrap tabular-nums',
    column.className,
  );

/** One page of rows, ordered and cut by the server. */
export function Table<Row>(props: TableProps<Row>) {
  const { caption, columns, rows, rowKey, state, empty } = props;
  const shown = columns.filter((column) => state.columns.includes(column.key));
  if (rows.length === 0) return empty;
  const styles = shown.map(cellStyle);
  return (
    <section
      aria-label={caption}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard.
      tabIndex={0}
      className="relative max-h-[72dvh] overflow-auto outline-offset-[-2px]"
    >
      <table className="w-full border-separate border-spacing-0">
        <caption className="sr-only">{caption}</caption>
        <thead>
          <tr>
            {shown.map((column) => (
              <HeaderCell key={column.key} column={column} table={props} />
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={rowKey(row)} className="hover:bg-hover/60">
              {shown.map((column, index) => (
                <td key={column.key} className={styles[index]}>
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

type SmallTableProps<Row> = Pick<TableProps<Row>, 'caption' | 'columns' | 'rows' | 'rowKey' | 'empty'>;

/** A table that is always whole: nothing to sort, choose or page through. */
export function SmallTable<Row>({ columns, ...rest }: SmallTableProps<Row>) {
  const state = { columns: columns.map((column: Column<Row>) => column.key) };
  return <Table {...rest} columns={columns} state={state} path="" query={{}} />;
}

type CsvLinkProps = { href: string } & ButtonStyle;

/** The rows beside it as a file. Not a page, so that the browser fetches it only when it is wanted. */
export const CsvLink = ({ href, variant = 'quiet', size }: CsvLinkProps) => (
  <a href={href} download className={buttonStyle({ variant, size })}>
    <Download aria-hidden />
    CSV
  </a>
);
