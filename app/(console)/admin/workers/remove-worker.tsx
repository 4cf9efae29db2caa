'use client';

import { Button } from '@/app/_ui/button';
import { ConfirmDialog } from '@/app/_ui/confirm-dialog';
import { removeWorker } from './actions';

export function RemoveWorker({ id, name }: { id: string; name: string }) {
  return (
    <ConfirmDialog
      title={`Remove ${name} from the list?`}
      confirm="Remove"
      onConfirm={() => removeWorker(id)}
      trigger={
        <Button variant="quiet" size="small">
          Remove
        </Button>
      }
    >
      Its runs and models stay. If the machine is started again it appears again; revoke its key under Account
      to keep it out.
    </ConfirmDialog>
  );
}
