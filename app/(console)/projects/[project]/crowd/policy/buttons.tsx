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
      title={`Apply ${formatCount(changes, 'change')}?`}
      confirm="Apply"
      onConfirm={async () => (await putInForce(slug, policy)).error}
    >
      The table shows what each change applies to. Batches in progress are paid at the old rates. The consent
      text states pay and time. If they change, publish a new text under Consent; all workers then have to
      agree again.
    </ConfirmDialog>
  );
}

export function DropOwn({ slug, stageId, name }: { slug: string; stageId: string; name: string }) {
  return (
    <ConfirmDialog
      trigger={<Button size="small">Use project policy</Button>}
      title={`Use the project policy in ${name}?`}
      confirm="Use project policy"
      onConfirm={async () => (await dropOwnPolicy(slug, stageId)).error}
    >
      The stage loses its own settings, including a bar that was chosen on the Exams page.
    </ConfirmDialog>
  );
}
