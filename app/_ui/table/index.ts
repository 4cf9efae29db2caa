export { DataTable } from './data-table';
export { Pager } from './pager';
export { type Column, CsvLink, SmallTable, Table } from './table';
export { idAfter, type Query, readTableState, type TableState, tableHref } from './table-state';
