'use client';

import { Button } from '@/app/_ui/button';
import { ConfirmDialog } from '@/app/_ui/confirm-dialog';
import { changeUser } from '../actions';

interface UserActionsProps {
  id: string;
  name: string;
  isAdmin: boolean;
  isDisabled: boolean;
}

const trigger = (label: string) => (
  <Button variant="quiet" size="small">
    {label}
  </Button>
);

function AdminAction({ id, name, isAdmin }: UserActionsProps) {
  return isAdmin ? (
    <ConfirmDialog
      danger
      trigger={trigger('Withdraw admin')}
      title={`Remove admin rights from ${name}?`}
      confirm="Withdraw"
      onConfirm={() => changeUser({ userId: id, isAdmin: false })}
    >
      {name} keeps the roles held in projects and can no longer open the pages of the instance.
    </ConfirmDialog>
  ) : (
    <ConfirmDialog
      trigger={trigger('Make admin')}
      title={`Make ${name} an admin?`}
      confirm="Make admin"
      onConfirm={() => changeUser({ userId: id, isAdmin: true })}
    >
      An admin opens every project, manages all accounts and can withdraw the rights of other admins.
    </ConfirmDialog>
  );
}

function AccessAction({ id, name, isDisabled }: UserActionsProps) {
  return isDisabled ? (
    <ConfirmDialog
      trigger={trigger('Enable')}
      title={`Enable the account of ${name}?`}
      confirm="Enable"
      onConfirm={() => changeUser({ userId: id, isDisabled: false })}
    >
      {name} can sign in with the old password. Revoked API keys stay revoked.
    </ConfirmDialog>
  ) : (
    <ConfirmDialog
      danger
      trigger={trigger('Disable')}
      title={`Disable the account of ${name}?`}
      confirm="Disable"
      onConfirm={() => changeUser({ userId: id, isDisabled: true })}
    >
      {name} is signed out everywhere and all API keys are revoked. Work, answers and pay are kept; the
      account can be enabled again.
    </ConfirmDialog>
  );
}

export const UserActions = (props: UserActionsProps) => (
  <span className="inline-flex gap-1">
    {!props.isDisabled && <AdminAction {...props} />}
    <AccessAction {...props} />
  </span>
);
