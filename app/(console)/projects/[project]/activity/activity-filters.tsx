import { Button } from '@/app/_ui/button';
import { Input, Select } from '@/app/_ui/forms';
import type { Query } from '@/app/_ui/table';
import { type AuditWords, describeVerb } from '@/lib/services/activity';

const one = (value: string | string[] | undefined) => (Array.isArray(value) ? value[0] : value) ?? '';

const optionsOf = (any: string, words: string[], chosen: string, labelOf = (word: string) => word) => [
  { value: '', label: any },
  ...[...new Set([...words, ...(chosen ? [chosen] : [])])].map((word) => ({
    value: word,
    label: labelOf(word),
  })),
];

const days = [
  { name: 'from', word: 'from', label: 'From day, UTC' },
  { name: 'until', word: 'to', label: 'To day, UTC' },
];

/** A plain GET form, so that the address contains the filter. */
export function ActivityFilters({ path, query, words }: { path: string; query: Query; words: AuditWords }) {
  const lists = [
    { name: 'actor', label: 'Who', any: 'Everyone', words: words.actors },
    { name: 'verb', label: 'Event', any: 'All events', words: words.verbs, labelOf: describeVerb },
    { name: 'subject', label: 'Changed', any: 'All subjects', words: words.subjects },
  ];
  return (
    <search>
      <form action={path} className="flex flex-wrap items-center gap-2">
        {one(query.columns) && <input type="hidden" name="columns" value={one(query.columns)} />}
        {lists.map((list) => (
          <Select
            key={list.name}
            name={list.name}
            aria-label={list.label}
            defaultValue={one(query[list.name])}
            options={optionsOf(list.any, list.words, one(query[list.name]), list.labelOf)}
            className="w-30"
          />
        ))}
        {days.map(({ name, word, label }) => (
          <span key={name} className="flex items-center gap-1.5 text-xs text-ink-3">
            <span aria-hidden>{word}</span>
            <Input
              type="date"
              name={name}
              aria-label={label}
              defaultValue={one(query[name])}
              className="w-32 text-sm"
            />
          </span>
        ))}
        <Button type="submit">Filter</Button>
      </form>
    </search>
  );
}
