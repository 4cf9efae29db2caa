'use client';

import { Button } from '@/app/_ui/button';
import { ConfirmDialog } from '@/app/_ui/confirm-dialog';
import { switchOn } from './actions';

interface Props {
  slug: string;
  after: number;
  rules: { id: string; params: Record<string, number> }[];
}

export function SwitchOn({ slug, after, rules }: Props) {
  return (
    <ConfirmDialog
      trigger={<Button variant="primary">Switch on</Button>}
      title={`Switch rule set ${after + 1} on?`}
      confirm="Switch on"
      onConfirm={async () => (await switchOn(slug, { after, rules })).error}
    >
      From now on these rules look at everybody whose batch ends. What was decided by older rules stands;
      every decision names the rule behind it and can be appealed against.
    </ConfirmDialog>
  );
}
