'use client';

import { type ReactNode, useState, useTransition } from 'react';
import { Button } from '@/app/_ui/button';
import { Dialog, DialogFooter } from '@/app/_ui/dialog';
import { Field, FormError, Input, Select } from '@/app/_ui/forms';
import type { ImageChange } from '@/lib/services/images/image-change';
import { noClass } from '@/lib/services/images/image-filter';

type Common = {
  words: string;
  trigger: ReactNode;
  apply: (change: ImageChange) => Promise<string | undefined>;
};

export function ClassDialog({
  words,
  classes,
  ...rest
}: Common & { classes: { id: string; name: string }[] }) {
  const [className, setClassName] = useState('');
  const change = { kind: 'class', className: className === noClass ? null : className } as const;
  return (
    <ChangeDialog
      {...rest}
      title={`Set the class of ${words}`}
      description="Images whose questions were already worked on keep their class: the answers belong to it."
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

export function GroupDialog({ words, ...rest }: Common) {
  const [groupKey, setGroupKey] = useState('');
  return (
    <ChangeDialog
      {...rest}
      title={`Set the group of ${words}`}
      description="Images of one group (a city, a video, a photographer) are never split between training and test."
      change={{ kind: 'group', groupKey: groupKey.trim() || null }}
    >
      <Field label="Group" hint="Leave it empty to take the images out of their groups.">
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

type Props = Omit<Common, 'words'> & {
  title: string;
  description: string;
  change: ImageChange | null;
  children: ReactNode;
};

function ChangeDialog({ title, description, trigger, change, apply, children }: Props) {
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
