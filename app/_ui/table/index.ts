export { CsvLink } from './csv-link';
export { DataTable } from './data-table';
export { Pager } from './pager';
export { SmallTable } from './small-table';
export { type Column, Table } from './table';
export { idAfter, type Query, readTableState, type TableState, tableHref } from './table-state';
