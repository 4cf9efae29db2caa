/** Everything about a table that a person can change lives in the address, so that a view can be shared. */
export interface TableState {
  sort?: { key: string; descending: boolean };
  /** Keys of the columns that show, in the table's own order. */
  columns: string[];
  after?: string;
  before?: string;
}

export type Query = Record<string, string | string[] | undefined>;

interface Sortable {
  key: string;
  sortable?: boolean;
  hidden?: boolean;
  fixed?: boolean;
}

const one = (value: string | string[] | undefined) => (Array.isArray(value) ? value[0] : value);

/** Unknown columns and orders in an address are ignored: an old bookmark still opens. */
export function readTableState(query: Query, columns: Sortable[], defaultSort?: string): TableState {
  const order = one(query.sort) ?? defaultSort;
  const key = order?.replace(/^-/, '');
  const sortable = columns.some((column) => column.sortable && column.key === key);
  const chosen = one(query.columns)?.split(',');
  return {
    sort: key && sortable ? { key, descending: order?.startsWith('-') ?? false } : undefined,
    columns: columns
      .filter((column) => column.fixed || (chosen ? chosen.includes(column.key) : !column.hidden))
      .map((column) => column.key),
    after: one(query.after),
    before: one(query.before),
  };
}

/** The same view with some parameters changed; `null` removes one. */
export function tableHref(path: string, query: Query, change: Record<string, string | null>): string {
  const next = new URLSearchParams();
  for (const [key, value] of Object.entries(query)) {
    for (const each of Array.isArray(value) ? value : [value]) {
      if (each !== undefined && !(key in change)) next.append(key, each);
    }
  }
  for (const [key, value] of Object.entries(change)) if (value !== null) next.set(key, value);
  const text = next.toString();
  return text ? `${path}?${text}` : path;
}

/** A new order starts at the first page: a cursor of the old order means nothing in it. */
export function sortHref(path: string, query: Query, state: TableState, key: string): string {
  const descending = state.sort?.key === key && !state.sort.descending;
  return tableHref(path, query, { sort: descending ? `-${key}` : key, after: null, before: null });
}

/** Where a page begins, for tables whose rows are known by their ids; an address may hold anything. */
export const idAfter = ({ after }: { after?: string }): string | undefined =>
  after !== undefined && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(after) ? after : undefined;
