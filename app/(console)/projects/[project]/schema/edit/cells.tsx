'use client';

import { Trash2 } from 'lucide-react';
import type { ComponentProps, ReactNode } from 'react';
import { cn } from '@/app/_ui/cn';
import { Input } from '@/app/_ui/forms';
import { IconButton } from '@/app/_ui/icon-button';

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
