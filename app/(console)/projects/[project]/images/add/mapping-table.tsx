'use client';

import { Input, Select } from '@/app/_ui/forms';
import { SmallTable } from '@/app/_ui/table';
import { formatNumber } from '@/lib/core/format';
import type { CategoryMapping, Mapping, MappingTarget } from '@/lib/core/formats/mapping';
import type { Plan, PlannedCategory } from './use-plan';

const targetLabels: Record<MappingTarget, string> = {
  class: 'Class',
  part: 'Part of',
  stuff: 'Stuff',
  attribute: 'Attribute',
  crowd: 'Crowd of',
  ignore: 'Ignored region',
  skip: 'Skip',
};
const targets = Object.keys(targetLabels) as MappingTarget[];

const BY_HAND = 'Changed manually.';

const ID = /[^A-Za-z0-9 :_-]+/g;
/** Converts a text to a valid schema id. */
const toId = (text: string) =>
  text
    .replace(ID, '-')
    .replace(/^[^A-Za-z0-9]+/, '')
    .slice(0, 80);

/** Changes the target of a category and keeps its name if the new target has one. */
function retarget(entry: CategoryMapping, to: MappingTarget, classes: readonly string[]): CategoryMapping {
  const { source, count } = entry;
  const base = { source, ...(count !== undefined && { count }), reason: BY_HAND };
  const name = 'name' in entry ? entry.name : toId(source) || 'class';
  if (to === 'ignore' || to === 'skip') return { ...base, to };
  if (to !== 'part') return { ...base, to, name };
  const others = classes.filter((id) => id !== name);
  return { ...base, to, name, of: [others[0] ?? 'object'], numbered: true };
}

type MappingTableProps = { plan: Plan; mapping: Mapping; onChange: (mapping: Mapping) => void };

/** Editable table of the mapping of each category. */
export function MappingTable({ plan, mapping, onChange }: MappingTableProps) {
  const entries = new Map(mapping.categories.map((entry) => [entry.source, entry]));
  const classes = [
    ...new Set(
      mapping.categories.flatMap((entry) =>
        entry.to === 'class' ? [entry.name] : entry.to === 'part' ? entry.of : [],
      ),
    ),
  ];
  const change = (entry: CategoryMapping) =>
    onChange({
      ...mapping,
      categories: entries.has(entry.source)
        ? mapping.categories.map((each) => (each.source === entry.source ? entry : each))
        : [...mapping.categories, entry],
    });
  const entryOf = ({ category }: PlannedCategory): CategoryMapping =>
    entries.get(category) ?? {
      source: category,
      to: 'skip',
      reason: 'The mapping does not list the category.',
    };
  const rows = plan.categories.filter(({ annotations }) => annotations > 0);
  const hasUnreadable = rows.some(({ unreadable }) => unreadable > 0);
  return (
    <SmallTable
      caption="Categories of the dataset"
      rows={rows}
      rowKey={({ category }) => category}
      empty="The dataset has no annotations."
      columns={[
        {
          key: 'category',
          title: 'Category',
          cell: ({ category }) => (
            <span className="font-medium whitespace-nowrap">{category || '(none)'}</span>
          ),
        },
        {
          key: 'annotations',
          title: 'Annotations',
          numeric: true,
          cell: (row) => formatNumber(row.annotations),
        },
        { key: 'images', title: 'Images', numeric: true, cell: (row) => formatNumber(row.images) },
        ...(hasUnreadable
          ? [
              {
                key: 'unreadable',
                title: 'Without mask',
                numeric: true,
                cell: ({ unreadable }: PlannedCategory) => (unreadable > 0 ? formatNumber(unreadable) : '–'),
              },
            ]
          : []),
        {
          key: 'to',
          title: 'Becomes',
          cell: (row) => (
            <Select
              aria-label={`Target of ${row.category}`}
              className="min-w-32"
              value={entryOf(row).to}
              onChange={(event) =>
                change(retarget(entryOf(row), event.target.value as MappingTarget, classes))
              }
              options={targets.map((value) => ({ value, label: targetLabels[value] }))}
            />
          ),
        },
        {
          key: 'of',
          title: 'Class',
          cell: (row) => {
            const entry = entryOf(row);
            return entry.to === 'part' ? (
              <Input
                aria-label={`Class of ${row.category}`}
                className="min-w-24"
                value={entry.of.join(', ')}
                onChange={(event) => {
                  const of = event.target.value.split(',').map((each) => toId(each.trimStart()));
                  change({ ...entry, of: of.length > 0 ? of : entry.of, reason: BY_HAND });
                }}
              />
            ) : null;
          },
        },
        {
          key: 'name',
          title: 'Name',
          cell: (row) => {
            const entry = entryOf(row);
            return 'name' in entry ? (
              <Input
                aria-label={`Name of ${row.category}`}
                className="min-w-32"
                value={entry.name}
                onChange={(event) => change({ ...entry, name: toId(event.target.value), reason: BY_HAND })}
              />
            ) : null;
          },
        },
        {
          key: 'reason',
          title: 'Reason',
          cell: (row) => <span className="block min-w-48 text-xs text-ink-2">{entryOf(row).reason}</span>,
        },
      ]}
    />
  );
}
