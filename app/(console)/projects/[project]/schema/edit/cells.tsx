'use client';

import { ImagePlus, Trash2 } from 'lucide-react';
import Link from 'next/link';
import type { ComponentProps, ReactNode } from 'react';
import { cn } from '@/app/_ui/cn';
import { Input } from '@/app/_ui/forms';
import { IconButton } from '@/app/_ui/icon-button';
import { formatCount } from '@/lib/core/format';
import type { DatasetSchema, SchemaEdit, SchemaProblem } from '@/lib/core/schema';
import type { ExamplePlace, ExamplePlaces } from '@/lib/services/crowd/guide';

interface TextCellProps {
  label: string;
  value: string;
  problem?: string;
  mono?: boolean;
  placeholder?: string;
  onChange: (value: string) => void;
}

/** A field in a row; what is wrong with it stands below it. */
export function TextCell({ label, value, problem, mono, placeholder, onChange }: TextCellProps) {
  return (
    <>
      <Input
        aria-label={label}
        aria-invalid={problem ? true : undefined}
        value={value}
        placeholder={placeholder}
        maxLength={1000}
        className={cn('w-full', mono && 'font-mono text-xs')}
        onChange={(event) => onChange(event.target.value)}
      />
      <Problem text={problem} />
    </>
  );
}

export const Problem = ({ text }: { text: string | undefined }) =>
  text ? (
    <p role="alert" className="mt-0.5 text-xs text-bad">
      {text}
    </p>
  ) : null;

export const RemoveButton = ({ label, onClick }: { label: string; onClick: () => void }) => (
  <IconButton label={label} size="small" onClick={onClick}>
    <Trash2 aria-hidden />
  </IconButton>
);

/** A table of fields: the frame of every list in the editor. */
export function EditTable({
  caption,
  columns,
  children,
}: {
  caption: string;
  columns: ReactNode[];
  children: ReactNode;
}) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard.
    <section aria-label={caption} tabIndex={0} className="relative overflow-x-auto outline-offset-[-2px]">
      <table className="w-full border-separate border-spacing-0">
        <caption className="sr-only">{caption}</caption>
        <thead>
          <tr>
            {columns.map((column, index) => (
              <th
                // biome-ignore lint/suspicious/noArrayIndexKey: the columns never change.
                key={index}
                scope="col"
                className="h-7 border-b border-line px-2 text-left text-xs font-medium whitespace-nowrap text-ink-3 first:pl-4"
              >
                {column || <span className="sr-only">Actions</span>}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </section>
  );
}

export const Cell = ({ className, ...rest }: ComponentProps<'td'>) => (
  <td
    {...rest}
    className={cn(
      'border-b border-line px-2 py-1 align-top first:pl-4 [tr:last-child>&]:border-b-0',
      className,
    )}
  />
);

/** The id of an entry: fixed once it was saved, because labels refer to it. */
export const IdText = ({ id, problem }: { id: string; problem?: string }) => (
  <>
    <code className="flex h-7 items-center font-mono text-xs text-ink-3">{id}</code>
    <Problem text={problem} />
  </>
);

interface ExampleLinkProps {
  slug: string;
  id: string;
  name: string;
  /** Nothing for an entry that has still to be saved: the guide does not know it yet. */
  place: ExamplePlace | undefined;
}

/** The example pictures of an entry, in the guide that workers read. The draft stays in the browser meanwhile. */
export function ExampleLink({ slug, id, name, place }: ExampleLinkProps) {
  if (!place) return <span className="flex h-7 items-center text-xs text-ink-3">once saved</span>;
  const { stageId, count } = place;
  return (
    <Link
      href={`/projects/${slug}/crowd/guide?${new URLSearchParams({ stage: stageId, target: id })}`}
      aria-label={`Example pictures of ${name}: ${count}`}
      className="inline-flex h-7 items-center gap-1 text-xs whitespace-nowrap text-accent hover:underline"
    >
      <ImagePlus aria-hidden className="size-3.5" />
      {count === 0 ? 'Add' : formatCount(count, 'picture')}
    </Link>
  );
}

/** What every part of the editor is given. */
export interface Editing {
  slug: string;
  schema: DatasetSchema;
  saved: DatasetSchema;
  /** Where the guide shows pictures of what is saved. */
  examples: ExamplePlaces;
  edit: (edit: SchemaEdit) => void;
  /** The first problem at a place: `problemAt('parts', 3, 'name')`. */
  problemAt: ProblemAt;
}

type ProblemAt = (...path: (string | number)[]) => string | undefined;

export function problemFinder(problems: readonly SchemaProblem[]): ProblemAt {
  const byPath = new Map<string, string>();
  for (const { path, message } of problems) {
    const key = path.slice(0, 3).join('/');
    if (!byPath.has(key)) byPath.set(key, message);
  }
  return (...path) => byPath.get(path.join('/'));
}
