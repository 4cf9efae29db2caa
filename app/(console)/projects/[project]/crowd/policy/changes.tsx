import { SmallTable } from '@/app/_ui/table';
import type { PolicyDifference } from '@/lib/services/crowd/policy/change-policy';
import { policyFields, policySections } from './policy-fields';
import { wordsFor } from './policy-values';

interface Props {
  differences: PolicyDifference[];
  currency: string;
  /** Titles of the two value columns. */
  heads?: readonly [string, string];
}

const fieldAt = (path: string) => policyFields.find((field) => field.path === path);
const sectionOf = (path: string) =>
  policySections.find((section) => section.fields.some((field) => field.path === path));

/** The differences between two policies, and what each change applies to. */
export function Changes({ differences, currency, heads = ['Current', 'New'] }: Props) {
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
          title: 'Setting',
          cell: ({ path }) => `${sectionOf(path)?.title ?? ''}: ${fieldAt(path)?.label ?? path}`,
        },
        { key: 'from', title: heads[0], numeric: true, cell: (row) => words(row.path, row.from) },
        {
          key: 'to',
          title: heads[1],
          numeric: true,
          cell: (row) => <strong className="font-semibold">{words(row.path, row.to)}</strong>,
        },
        { key: 'when', title: 'Applies to', cell: (row) => sectionOf(row.path)?.from ?? '' },
      ]}
    />
  );
}
