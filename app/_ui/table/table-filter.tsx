import { Search } from 'lucide-react';
import { Input } from '../forms';
import type { Query } from './table-state';

interface TableFilterProps {
  /** What is searched: "Name or e-mail". */
  label: string;
  name?: string;
  path: string;
  query: Query;
}

/** A filter is a plain form: it works before the script has loaded, and its result has an address. */
export function TableFilter({ label, name = 'q', path, query }: TableFilterProps) {
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
