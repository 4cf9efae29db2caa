'use client';

import { Trash2 } from 'lucide-react';
import { Button } from '@/app/_ui/button';
import { ConfirmDialog } from '@/app/_ui/confirm-dialog';
import { removeSlice } from './actions';

export const DeleteSlice = ({ slug, id, name }: { slug: string; id: string; name: string }) => (
  <ConfirmDialog
    danger
    title={`Delete the slice "${name}"?`}
    confirm="Delete"
    onConfirm={() => removeSlice(slug, id)}
    trigger={
      <Button
        size="small"
        variant="quiet"
        icon={<Trash2 aria-hidden />}
        aria-label={`Delete the slice ${name}`}
      />
    }
  >
    Images and versions are not deleted, only the saved selection.
  </ConfirmDialog>
);
