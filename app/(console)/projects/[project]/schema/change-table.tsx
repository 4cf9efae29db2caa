import { Badge } from '@/app/_ui/badge';
import { SmallTable } from '@/app/_ui/table';
import type { Tone } from '@/app/_ui/tone';
import type { EntryChange } from '@/lib/core/schema';

const tones: Record<EntryChange['change'], Tone> = {
  added: 'good',
  removed: 'bad',
  renamed: 'neutral',
  changed: 'busy',
};

/** What differs between two schemas, entry by entry, and what each difference means for labels. */
export function ChangeTable({ changes }: { changes: EntryChange[] }) {
  return (
    <SmallTable
      caption="Changes"
      rows={changes}
      rowKey={({ entry, id }) => `${entry} ${id}`}
      empty={<p className="px-4 py-3 text-ink-2">No class, group, attribute or part differs.</p>}
      columns={[
        {
          key: 'change',
          title: 'Change',
          className: 'w-24',
          cell: ({ change }) => <Badge tone={tones[change]}>{change}</Badge>,
        },
        {
          key: 'entry',
          title: 'Entry',
          className: 'w-56 wrap-anywhere',
          cell: ({ entry, id, name }) => (
            <>
              {entry} <span className="font-medium">{name || id}</span>
            </>
          ),
        },
        {
          key: 'fields',
          title: 'From → to',
          className: 'wrap-anywhere',
          cell: ({ fields }) =>
            fields.map(({ field, from, to }) => (
              <span key={field} className="mr-3 inline-block">
                <span className="text-ink-3">{field}:</span> {from || '–'} → {to || '–'}
              </span>
            )),
        },
        { key: 'labels', title: 'Labels that exist', cell: ({ labels }) => labels },
      ]}
    />
  );
}
