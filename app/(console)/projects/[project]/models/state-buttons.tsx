'use client';

import { ActionButton } from '@/app/_shell/action-button';
import type { ModelKind } from '@/db/schema';
import type { ModelState } from '@/lib/services/training/models';
import { setState } from './actions';

interface Props {
  slug: string;
  modelId: string;
  state: ModelState;
  /** Only a classifier can be promoted. */
  kind: ModelKind;
  size?: 'small' | 'medium';
}

/** What may become of a model from where it stands. */
export function StateButtons({ slug, modelId, state, kind, size = 'small' }: Props) {
  const button = (to: ModelState, label: string) => (
    <ActionButton
      size={size}
      variant={size === 'small' ? 'quiet' : 'secondary'}
      act={() => setState(slug, modelId, to)}
    >
      {label}
    </ActionButton>
  );
  return (
    <span className="flex justify-end gap-1">
      {state === 'registered' && kind === 'classifier' && button('promoted', 'Promote')}
      {state === 'promoted' && button('registered', 'Step back')}
      {state === 'archived' ? button('registered', 'Bring back') : button('archived', 'Archive')}
    </span>
  );
}
