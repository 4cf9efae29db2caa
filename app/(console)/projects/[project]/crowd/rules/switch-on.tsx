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
      trigger={<Button variant="primary">Apply</Button>}
      title={`Apply rule set ${after + 1}?`}
      confirm="Apply"
      onConfirm={async () => (await switchOn(slug, { after, rules })).error}
    >
      From now on, these rules are evaluated whenever a batch ends. Decisions of earlier rules stay valid.
      Every decision names its rule, and the worker can appeal.
    </ConfirmDialog>
  );
}
