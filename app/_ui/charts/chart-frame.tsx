import type { ReactNode } from 'react';
import { ChartDownloads } from './chart-downloads';

/** What a cell shows, and the exact value that goes into the CSV. */
export interface Cell {
  text: string;
  value?: number | string | null;
}

export interface ChartTable {
  head: string[];
  rows: Cell[][];
}

interface ChartFrameProps {
  title: string;
  /** n, unit, what an interval means. */
  note?: ReactNode;
  width: number;
  height: number;
  legend?: ReactNode;
  table: ChartTable;
  /** What is in an image is not read out: a drawing whose points lead somewhere is a group. */
  hasLinks?: boolean;
  children: ReactNode;
}

function DataTable({ title, table }: { title: string; table: ChartTable }) {
  return (
    <table className="w-max min-w-64 border-separate border-spacing-0 text-xs tabular-nums">
      <caption className="sr-only">{title}</caption>
      <thead>
        <tr>
          {table.head.map((title, column) => (
            <th
              key={title}
              scope="col"
              className={`sticky top-0 bg-surface px-2 py-1 font-medium text-ink-3 ${column ? 'text-right' : 'text-left'}`}
            >
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {table.rows.map((row, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows of a drawing have no identity but their place.
          <tr key={index}>
            {row.map((cell, column) => (
              <td
                // biome-ignore lint/suspicious/noArrayIndexKey: see above.
                key={column}
                data-value={cell.value === undefined ? undefined : (cell.value ?? '')}
                className={`border-t border-line px-2 py-0.5 ${column ? 'text-right' : 'text-left'}`}
              >
                {cell.text}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Title, drawing, legend; behind it the same numbers as a table; both can be taken away as files. */
export function ChartFrame(props: ChartFrameProps) {
  const { title, note, width, height, legend, table, hasLinks = false, children } = props;
  return (
    <figure data-chart className="flex min-w-0 flex-col gap-2">
      <figcaption className="flex items-start gap-3">
        <div className="min-w-0 flex-1">
          <h3 className="font-semibold">{title}</h3>
          {note && <p className="text-xs text-ink-3">{note}</p>}
        </div>
        {table.rows.length > 0 && <ChartDownloads name={title} />}
      </figcaption>
      {legend}
      {table.rows.length === 0 ? (
        <p className="py-8 text-ink-3">There is nothing to draw yet.</p>
      ) : (
        <>
          <svg
            role={hasLinks ? 'group' : 'img'}
            data-drawing
            aria-label={title}
            viewBox={`0 0 ${width} ${height}`}
            width={width}
            height={height}
            fontFamily="Inter Variable, Inter, sans-serif"
            fontSize={11}
            className="h-auto max-w-full overflow-visible"
          >
            {children}
          </svg>
          <details className="group text-xs">
            <summary className="h-6 w-fit rounded-sm leading-6 text-ink-3 hover:text-ink">Table</summary>
            <div className="mt-1 max-h-72 w-fit max-w-full overflow-auto rounded-md border border-line">
              <DataTable title={title} table={table} />
            </div>
          </details>
        </>
      )}
    </figure>
  );
}
