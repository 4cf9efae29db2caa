import { type Column, Table, type TableProps } from './table';

type SmallTableProps<Row> = Pick<TableProps<Row>, 'caption' | 'columns' | 'rows' | 'rowKey' | 'empty'>;

/** A table that is always whole: nothing to sort, choose or page through. */
export function SmallTable<Row>({ columns, ...rest }: SmallTableProps<Row>) {
  const state = { columns: columns.map((column: Column<Row>) => column.key) };
  return <Table {...rest} columns={columns} state={state} path="" query={{}} />;
}
