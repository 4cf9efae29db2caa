'use client';

import { ArchiveRestore, Ban, Download, Tag, Trash2, Users } from 'lucide-react';
import { type ReactNode, useState, useTransition } from 'react';
import { Button } from '@/app/_ui/button';
import { ConfirmDialog } from '@/app/_ui/confirm-dialog';
import { Dialog, DialogFooter } from '@/app/_ui/dialog';
import { Field, FormError, Input, Select } from '@/app/_ui/forms';
import { toast } from '@/app/_ui/toasts';
import { formatNumber } from '@/lib/core/format';
import type { ImageChange } from '@/lib/services/images/image-change';
import { type ImageFilter, imageQuery, noClass } from '@/lib/services/images/image-filter';
import { useChange } from './use-change';
import type { Selection } from './use-selection';

type SelectionBarProps = {
  project: string;
  selection: Selection;
  total: number;
  filter: ImageFilter;
  classes: { id: string; name: string }[];
  mayWrite: boolean;
};

/** How many images are selected and what can be done with them. */
export function SelectionBar({ project, selection, total, filter, classes, mayWrite }: SelectionBarProps) {
  const { all, ids, count } = selection;
  const scope = all ? { filter } : { ids: [...ids] };
  const apply = useChange(project, scope, selection.clear);
  const [pending, startTransition] = useTransition();
  const act = (wanted: ImageChange) =>
    startTransition(async () => {
      const error = await apply(wanted);
      if (error) toast.error(error);
    });
  const words = count === 1 ? '1 image' : `${formatNumber(count)} images`;

  if (count === 0) {
    return (
      <div className="flex items-center gap-2 text-ink-3">
        <Button size="small" variant="quiet" onClick={selection.selectAll}>
          Select all {formatNumber(total)}
        </Button>
        <CsvForm project={project} filter={filter} ids={null} label="List as CSV" />
        <span className="hidden text-xs xl:inline">Space selects, Shift extends, Enter opens</span>
      </div>
    );
  }
  return (
    <fieldset className="flex flex-wrap items-center gap-2" disabled={pending}>
      <legend className="sr-only">Selected images</legend>
      <span className="font-medium tabular-nums" role="status">
        {words} selected
      </span>
      {!all && count < total && (
        <Button size="small" variant="quiet" onClick={selection.selectAll}>
          Select all {formatNumber(total)}
        </Button>
      )}
      <Button size="small" variant="quiet" onClick={selection.clear}>
        Clear
      </Button>
      {mayWrite && (
        <>
          <ClassDialog
            words={words}
            classes={classes}
            apply={apply}
            trigger={
              <Button size="small" icon={<Tag aria-hidden />}>
                Set class
              </Button>
            }
          />
          <GroupDialog
            words={words}
            apply={apply}
            trigger={
              <Button size="small" icon={<Users aria-hidden />}>
                Set group
              </Button>
            }
          />
          <Button
            size="small"
            icon={<Ban aria-hidden />}
            onClick={() => act({ kind: 'state', state: 'excluded' })}
          >
            Exclude
          </Button>
          <Button
            size="small"
            icon={<ArchiveRestore aria-hidden />}
            onClick={() => act({ kind: 'state', state: 'active' })}
          >
            Restore
          </Button>
        </>
      )}
      <CsvForm project={project} filter={filter} ids={all ? null : [...ids]} label="CSV" />
      {mayWrite && (
        <ConfirmDialog
          danger
          title={`Delete ${words}?`}
          confirm="Delete"
          typeToConfirm={count > 100 ? String(count) : undefined}
          onConfirm={() => apply({ kind: 'delete' })}
          trigger={
            <Button size="small" variant="quiet" icon={<Trash2 aria-hidden />}>
              Delete
            </Button>
          }
        >
          The images and their open items are permanently deleted. Gold images are kept. Unless the project is
          a draft, images with answers or in an audit are also kept; you can exclude them instead, which can
          be undone.
        </ConfirmDialog>
      )}
    </fieldset>
  );
}

type CsvProps = { project: string; filter: ImageFilter; ids: string[] | null; label: string };

/** A POST form, so that the browser saves the file: the selected ids are too long for a URL. */
const CsvForm = ({ project, filter, ids, label }: CsvProps) => (
  <form method="post" action={`/projects/${project}/images/csv?${imageQuery(filter)}`}>
    {ids && <input type="hidden" name="ids" value={ids.join(',')} />}
    <Button type="submit" size="small" variant="quiet" icon={<Download aria-hidden />}>
      {label}
    </Button>
  </form>
);

type Common = {
  words: string;
  trigger: ReactNode;
  apply: (change: ImageChange) => Promise<string | undefined>;
};

function ClassDialog({ words, classes, ...rest }: Common & { classes: { id: string; name: string }[] }) {
  const [className, setClassName] = useState('');
  const change = { kind: 'class', className: className === noClass ? null : className } as const;
  return (
    <ChangeDialog
      {...rest}
      title={`Set the class of ${words}`}
      description="Images with answers keep their class, because the answers refer to it."
      change={className ? change : null}
    >
      <Field label="Class">
        {(control) => (
          <Select
            {...control}
            value={className}
            onChange={(event) => setClassName(event.target.value)}
            options={[
              { value: '', label: 'Choose a class' },
              ...classes.map(({ id, name }) => ({ value: id, label: name })),
              { value: noClass, label: 'No class' },
            ]}
          />
        )}
      </Field>
    </ChangeDialog>
  );
}

function GroupDialog({ words, ...rest }: Common) {
  const [groupKey, setGroupKey] = useState('');
  return (
    <ChangeDialog
      {...rest}
      title={`Set the group of ${words}`}
      description="Images of one group (a city, a video, a photographer) are never split between training and test."
      change={{ kind: 'group', groupKey: groupKey.trim() || null }}
    >
      <Field label="Group" hint="Leave empty to remove the images from their groups.">
        {(control) => (
          <Input
            {...control}
            maxLength={200}
            value={groupKey}
            onChange={(event) => setGroupKey(event.target.value)}
          />
        )}
      </Field>
    </ChangeDialog>
  );
}

type ClassDialogProps = Omit<Common, 'words'> & {
  title: string;
  description: string;
  change: ImageChange | null;
  children: ReactNode;
};

function ChangeDialog({ title, description, trigger, change, apply, children }: ClassDialogProps) {
  const [open, setOpen] = useState(false);
  const [problem, setProblem] = useState<string>();
  const [pending, startTransition] = useTransition();
  const act = () =>
    startTransition(async () => {
      const refusal = change ? await apply(change) : undefined;
      setProblem(refusal);
      if (!refusal) setOpen(false);
    });
  return (
    <Dialog title={title} description={description} trigger={trigger} open={open} onOpenChange={setOpen}>
      {children}
      <FormError>{problem}</FormError>
      <DialogFooter>
        <Button onClick={() => setOpen(false)}>Cancel</Button>
        <Button variant="primary" pending={pending} disabled={!change} onClick={act}>
          Apply
        </Button>
      </DialogFooter>
    </Dialog>
  );
}
