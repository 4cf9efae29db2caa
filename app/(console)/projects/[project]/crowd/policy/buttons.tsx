'use client';

import { Button } from '@/app/_ui/button';
import { ConfirmDialog } from '@/app/_ui/confirm-dialog';
import { formatCount } from '@/lib/core/format';
import type { Policy } from '@/lib/core/quality/policy';
import { dropOwnPolicy, putInForce } from './actions';

export function PutInForce({ slug, policy, changes }: { slug: string; policy: Policy; changes: number }) {
  return (
    <ConfirmDialog
      trigger={<Button variant="primary">Apply</Button>}
      title={`Put ${formatCount(changes, 'change')} in force?`}
      confirm="Apply"
      onConfirm={async () => (await putInForce(slug, policy)).error}
    >
      Each change counts from the moment that its line says. A batch that somebody holds is paid as it was
      when they took it. The consent text names pay and time: if these change, publish a new text under
      Consent, which asks everybody again.
    </ConfirmDialog>
  );
}

export function DropOwn({ slug, stageId, name }: { slug: string; stageId: string; name: string }) {
  return (
    <ConfirmDialog
      trigger={<Button size="small">Use the project’s</Button>}
      title={`Use the project’s policy in ${name}?`}
      confirm="Use the project’s"
      onConfirm={async () => (await dropOwnPolicy(slug, stageId)).error}
    >
      What this stage says differently is forgotten; a bar that was chosen on the page of exams is part of it.
    </ConfirmDialog>
  );
}
