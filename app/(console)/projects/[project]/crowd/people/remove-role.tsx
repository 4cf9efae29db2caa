'use client';

import { Button } from '@/app/_ui/button';
import { ConfirmDialog } from '@/app/_ui/confirm-dialog';
import { removeRole } from './actions';

type Props = { slug: string; userId: string; name: string; roles: string[] };

/** Removes one role; the person keeps any others. */
export function RemoveRole({ slug, userId, name, roles }: Props) {
  return (
    <span className="inline-flex gap-1">
      {roles.map((role) => (
        <ConfirmDialog
          key={role}
          trigger={
            <Button variant="quiet" size="small">
              Remove as {role}
            </Button>
          }
          title={`Remove ${name} as ${role}?`}
          confirm="Remove"
          danger
          onConfirm={async () => (await removeRole(slug, userId, role)).error}
        >
          The person loses the rights of the role immediately. Their answers, labels and earnings stay.
        </ConfirmDialog>
      ))}
    </span>
  );
}
