import type { ReactNode } from 'react';
import { WorkerShell } from '@/app/_shell/worker-shell';
import { requireActor } from '@/lib/services/access/page';

export default async function AnnotateLayout({ children }: { children: ReactNode }) {
  return <WorkerShell actor={await requireActor()}>{children}</WorkerShell>;
}
