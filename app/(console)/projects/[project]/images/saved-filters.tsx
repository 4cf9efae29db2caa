'use client';

import { Bookmark, Pencil, Trash2 } from 'lucide-react';
import Link from 'next/link';
import { useState, useTransition } from 'react';
import { Button } from '@/app/_ui/button';
import { Field, FormError, Input } from '@/app/_ui/forms';
import { IconButton } from '@/app/_ui/icon-button';
import { Popover, PopoverClose } from '@/app/_ui/popover';
import type { SavedFilter } from '@/lib/services/images/filters';
import { type ImageFilter, imageQuery, isFiltered } from '@/lib/services/images/image-filter';
import { remove, rename, save } from './actions';

type Props = { project: string; filter: ImageFilter; saved: SavedFilter[] };

/** The filters that a user has saved: apply, rename, delete. */
export function SavedFilters({ project, filter, saved }: Props) {
  const [name, setName] = useState('');
  const [renaming, setRenaming] = useState<string>();
  const [problem, setProblem] = useState<string>();
  const [pending, startTransition] = useTransition();
  const act = (work: () => Promise<{ error?: string }>, done: () => void = () => {}) =>
    startTransition(async () => {
      const { error } = await work();
      setProblem(error);
      if (!error) done();
    });
  const path = `/projects/${project}/images`;
  return (
    <Popover
      label="Saved filters"
      align="end"
      className="w-80"
      trigger={
        <Button icon={<Bookmark aria-hidden />}>
          Saved filters{saved.length > 0 && ` (${saved.length})`}
        </Button>
      }
    >
      <div className="flex flex-col gap-3">
        {saved.length === 0 && (
          <p className="text-ink-2">
            {isFiltered(filter)
              ? 'Save the current filter to use it again.'
              : 'Set a filter, then save it here to use it again.'}
          </p>
        )}
        <ul className="flex max-h-72 flex-col overflow-y-auto">
          {saved.map((entry) => (
            <li key={entry.id} className="flex h-8 items-center gap-1">
              {renaming === entry.id ? (
                <form
                  className="flex flex-1 gap-1"
                  onSubmit={(event) => {
                    event.preventDefault();
                    const text = String(new FormData(event.currentTarget).get('name'));
                    act(
                      () => rename(project, entry.id, text),
                      () => setRenaming(undefined),
                    );
                  }}
                >
                  <Input
                    name="name"
                    aria-label="New name"
                    defaultValue={entry.name}
                    maxLength={80}
                    autoFocus
                  />
                  <Button type="submit" pending={pending}>
                    Rename
                  </Button>
                </form>
              ) : (
                <>
                  <PopoverClose asChild>
                    <Link
                      href={`${path}?${imageQuery(entry.filter)}`}
                      className="min-w-0 flex-1 truncate rounded-sm px-1 py-1 hover:bg-hover"
                    >
                      {entry.name}
                    </Link>
                  </PopoverClose>
                  <IconButton
                    size="small"
                    label={`Rename ${entry.name}`}
                    onClick={() => setRenaming(entry.id)}
                  >
                    <Pencil aria-hidden />
                  </IconButton>
                  <IconButton
                    size="small"
                    label={`Delete ${entry.name}`}
                    disabled={pending}
                    onClick={() => act(() => remove(project, entry.id))}
                  >
                    <Trash2 aria-hidden />
                  </IconButton>
                </>
              )}
            </li>
          ))}
        </ul>
        {isFiltered(filter) && (
          <form
            className="flex flex-col gap-2 border-t border-line pt-3"
            onSubmit={(event) => {
              event.preventDefault();
              act(
                () => save(project, name, filter),
                () => setName(''),
              );
            }}
          >
            <Field label="Save current filter as">
              {(control) => (
                <span className="flex gap-2">
                  <Input
                    {...control}
                    maxLength={80}
                    value={name}
                    onChange={(event) => setName(event.target.value)}
                  />
                  <Button type="submit" variant="primary" pending={pending} disabled={name.trim() === ''}>
                    Save
                  </Button>
                </span>
              )}
            </Field>
          </form>
        )}
        <FormError>{problem}</FormError>
      </div>
    </Popover>
  );
}
