import Link from 'next/link';
import { formatDateTime } from '@/lib/core/format';
import type { listNotes } from '@/lib/services/datasets/versions/mark-version';

type Notes = Awaited<ReturnType<typeof listNotes>>;

/** What was found out after freezing, newest first. */
export function NoteList({ notes, data }: { notes: Notes; data: string }) {
  if (notes.length === 0) return <p className="text-ink-2">Nothing was noted since it was frozen.</p>;
  return (
    <ul className="flex flex-col gap-3">
      {notes.map(({ id, text, supersededBy, by, at }) => (
        <li key={id} className="flex flex-col gap-0.5">
          {text && <span className="whitespace-pre-wrap wrap-anywhere">{text}</span>}
          {supersededBy !== null && (
            <Link href={`${data}/${supersededBy}`} className="underline underline-offset-2">
              Superseded by version {supersededBy}
            </Link>
          )}
          <span className="text-xs text-ink-3">
            {by ?? 'somebody who is gone'}, {formatDateTime(at)} UTC
          </span>
        </li>
      ))}
    </ul>
  );
}
