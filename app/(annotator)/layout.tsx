import type { ReactNode } from 'react';
import { Translated } from '@/app/_i18n/translated';

/** Outside of the worker's shell: the workspace has the whole window. */
export default function AnnotatorLayout({ children }: { children: ReactNode }) {
  return (
    <Translated namespaces={['work', 'canvas', 'form', 'practice', 'texts', 'errors']}>{children}</Translated>
  );
}
