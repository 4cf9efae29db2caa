'use client';

import { Download } from 'lucide-react';
import { ActionButton } from '@/app/_shell/action-button';
import { beginExport } from './actions';

interface Props {
  slug: string;
  wanted: Parameters<typeof beginExport>[1];
  disabled: boolean;
}

export const ExportButton = ({ slug, wanted, disabled }: Props) => (
  <ActionButton
    variant="primary"
    icon={<Download aria-hidden />}
    disabled={disabled}
    act={() => beginExport(slug, wanted)}
  >
    Start export
  </ActionButton>
);
