import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { type Column, idAfter, readTableState, Table, tableHref } from '@/app/_ui/table';
import { sortHref } from '@/app/_ui/table/table-state';

interface Row {
  name: string;
  count: number;
}

const columns: Column<Row>[] = [
  { key: 'name', title: 'Name', cell: (row) => row.name, sortable: true, fixed: true },
  { key: 'count', title: 'Count', cell: (row) => row.count, sortable: true, numeric: true },
  { key: 'note', title: 'Note', cell: () => '', hidden: true },
];

const render = (rows: Row[], query = {}) =>
  renderToStaticMarkup(
    <Table
      caption="Things"
      columns={columns}
      rows={rows}
      rowKey={(row) => row.name}
      state={readTableState(query, columns, 'name')}
      path="/things"
      query={query}
      empty={<p>Add a thing.</p>}
    />,
  );

describe('a table', () => {
  it('with no rows shows what to do next instead', () => {
    expect(render([])).toBe('<p>Add a thing.</p>');
  });

  it('says by which column it is ordered, and links to the opposite order', () => {
    const html = render([{ name: 'a', count: 1 }], { sort: 'count' });
    expect(html).toMatch(/<th[^>]*aria-sort="ascending"[^>]*><a[^>]*href="\/things\?sort=-count"/);
    expect(html).toContain('href="/things?sort=name"');
  });

  it('draws ten thousand rows', () => {
    const rows = Array.from({ length: 10_000 }, (_, index) => ({ name: `thing ${index}`, count: index }));
    expect(render(rows).match(/<tr/g)).toHaveLength(10_001);
  });
});

describe('the address of a table', () => {
  it('ignores columns and orders that do not exist', () => {
    const state = readTableState({ sort: 'password', columns: 'count,unknown' }, columns);
    expect(state.sort).toBeUndefined();
    expect(state.columns).toEqual(['name', 'count']);
  });

  it('shows the usual columns until some are chosen', () => {
    expect(readTableState({}, columns).columns).toEqual(['name', 'count']);
    expect(readTableState({ columns: 'note' }, columns).columns).toEqual(['name', 'note']);
  });

  it('keeps the other parameters and starts a new order at the first page', () => {
    const query = { q: 'a b', tag: ['x', 'y'], after: '17' };
    expect(tableHref('/t', query, { after: '18' })).toBe('/t?q=a+b&tag=x&tag=y&after=18');
    expect(sortHref('/t', query, { columns: [], sort: { key: 'name', descending: false } }, 'name')).toBe(
      '/t?q=a+b&tag=x&tag=y&sort=-name',
    );
    expect(tableHref('/t', { q: 'a' }, { q: null })).toBe('/t');
  });
});

it('a list begins where its address says only when that is an id', () => {
  const id = '01a1e789-d63d-7641-83f4-54addeb7f1e6';
  expect(idAfter({ after: id })).toBe(id);
  for (const after of [undefined, '', 'ß', `${id} `, "' or 1=1 --", id.replaceAll('-', '')])
    expect(idAfter({ after })).toBeUndefined();
});
