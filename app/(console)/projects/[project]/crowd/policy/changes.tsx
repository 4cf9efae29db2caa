import { SmallTable } from '@/app/_ui/table';
import type { PolicyDifference } from '@/lib/services/crowd/policy/change-policy';
import { policyFields, policySections } from './policy-fields';
import { wordsFor } from './policy-values';

interface Props {
  differences: PolicyDifference[];
  currency: string;
  /** What the two columns of values are. */
  heads?: readonly [string, string];
}

const fieldAt = (path: string) => policyFields.find((field) => field.path === path);
const sectionOf = (path: string) =>
  policySections.find((section) => section.fields.some((field) => field.path === path));

/** Where two policies differ, and from when a change counts. */
export function Changes({ differences, currency, heads = ['Now', 'Then'] }: Props) {
  const words = (path: string, value: unknown) => {
    const field = fieldAt(path);
    return field ? wordsFor(field, value, currency) : String(value);
  };
  return (
    <SmallTable
      caption="Differences"
      rows={differences}
      rowKey={(row) => row.path}
      empty={null}
      columns={[
        {
          key: 'what',
          title: 'What',
          cell: ({ path }) => `${sectionOf(path)?.title ?? ''}: ${fieldAt(path)?.label ?? path}`,
        },
        { key: 'from', title: heads[0], numeric: true, cell: (row) => words(row.path, row.from) },
        {
          key: 'to',
          title: heads[1],
          numeric: true,
          cell: (row) => <strong className="font-semibold">{words(row.path, row.to)}</strong>,
        },
        { key: 'when', title: 'Counts for', cell: (row) => sectionOf(row.path)?.from ?? '' },
      ]}
    />
  );
}
