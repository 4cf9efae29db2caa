import type { ReactNode } from 'react';
import { PlainPage } from '@/app/_shell/plain-page';

export default function PublicLayout({ children }: { children: ReactNode }) {
  return <PlainPage namespaces={['signIn', 'join', 'prolific', 'errors']}>{children}</PlainPage>;
}
