'use client';

import { Brush, Download, Ellipsis, Eraser, Plus, Trash2 } from 'lucide-react';
import { Button } from '@/app/_ui/button';
import { ConfirmDialog } from '@/app/_ui/confirm-dialog';
import { Dialog, DialogClose, DialogFooter } from '@/app/_ui/dialog';
import { Field, Input } from '@/app/_ui/forms';
import { IconButton } from '@/app/_ui/icon-button';
import { Kbd } from '@/app/_ui/kbd';
import { Menu, MenuItem, MenuLabel, MenuSeparator } from '@/app/_ui/menu';
import { Panel, Section } from '@/app/_ui/panel';
import { Popover } from '@/app/_ui/popover';
import { Tabs } from '@/app/_ui/tabs';
import { toast } from '@/app/_ui/toasts';

const refuse = async () => 'The project has 3 running jobs. Cancel them first, then delete it.';

function Buttons() {
  return (
    <Panel title="Buttons">
      <div className="flex flex-col gap-4">
        <div className="flex flex-wrap items-center gap-2">
          <Button variant="primary" icon={<Plus aria-hidden />}>
            Add images
          </Button>
          <Button icon={<Download aria-hidden />}>Export</Button>
          <Button variant="quiet">Skip</Button>
          <Button variant="danger" icon={<Trash2 aria-hidden />}>
            Delete
          </Button>
        </div>
        <div className="flex flex-wrap items-center gap-2">
          <Button variant="primary" pending>
            Freezing
          </Button>
          <Button variant="primary" disabled>
            Disabled
          </Button>
          <Button disabled>Disabled</Button>
          <Button size="small">Small</Button>
          <Button size="large" variant="primary">
            Large, for workers
          </Button>
        </div>
        <div className="flex items-center gap-1">
          <IconButton label="Brush" shortcut="B" aria-pressed>
            <Brush />
          </IconButton>
          <IconButton label="Eraser" shortcut="E">
            <Eraser />
          </IconButton>
          <span className="ml-4 flex items-center gap-2 text-ink-2">
            Palette <Kbd keys="Ctrl K" />
          </span>
        </div>
      </div>
    </Panel>
  );
}

function Overlays() {
  return (
    <Panel title="Overlays">
      <div className="flex flex-wrap gap-2">
        <Dialog
          title="Rename the project"
          description="Links keep working: they use the short name."
          trigger={<Button>Dialog</Button>}
        >
          <Field label="Name">{(control) => <Input {...control} defaultValue="RIVAL10" />}</Field>
          <DialogFooter>
            <DialogClose asChild>
              <Button>Cancel</Button>
            </DialogClose>
            <DialogClose asChild>
              <Button variant="primary">Rename</Button>
            </DialogClose>
          </DialogFooter>
        </Dialog>
        <ConfirmDialog
          danger
          trigger={<Button>Confirm</Button>}
          title="Delete RIVAL10?"
          confirm="Delete the project"
          typeToConfirm="rival10"
          onConfirm={refuse}
        >
          26 000 images, 41 000 answers and 3 versions are deleted. This cannot be undone.
        </ConfirmDialog>
        <Menu trigger={<Button icon={<Ellipsis aria-hidden />}>Menu</Button>}>
          <MenuLabel>Version 7</MenuLabel>
          <MenuItem icon={<Download />} shortcut="E">
            Export
          </MenuItem>
          <MenuItem disabled>Compare</MenuItem>
          <MenuSeparator />
          <MenuItem danger icon={<Trash2 />}>
            Delete
          </MenuItem>
        </Menu>
        <Popover label="About the interval" trigger={<Button>Popover</Button>}>
          <p className="max-w-60 text-ink-2">Wilson score interval, 95 %, over 642 hidden checks.</p>
        </Popover>
        <Button
          onClick={() =>
            toast.success('Version 7 is frozen.', { description: '26 000 images, 41 000 labels' })
          }
        >
          Toast
        </Button>
        <Button
          onClick={() =>
            toast.error('The export stopped.', { description: 'The disk is full: free 2 GB and try again.' })
          }
        >
          Error toast
        </Button>
      </div>
      <div className="mt-6">
        <Tabs
          label="Crowd"
          current="/styleguide"
          tabs={[
            { label: 'Workers', href: '/styleguide', count: 10_000 },
            { label: 'Exams', href: '/styleguide?tab=exams', count: 480 },
            { label: 'Pay', href: '/styleguide?tab=pay' },
          ]}
        />
      </div>
    </Panel>
  );
}

export function Actions() {
  return (
    <Section title="Actions">
      <div className="grid gap-4 xl:grid-cols-2">
        <Buttons />
        <Overlays />
      </div>
    </Section>
  );
}
