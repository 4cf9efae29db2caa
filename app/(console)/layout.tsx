import type { ReactNode } from 'react';
import { Translated } from '@/app/_i18n/translated';
import { ConsoleShell } from '@/app/_shell/console-shell';
import { database } from '@/db';
import { requireActor } from '@/lib/services/access/page';
import { listShellProjects } from '@/lib/services/projects';

export default async function ConsoleLayout({ children }: { children: ReactNode }) {
  const actor = await requireActor();
  const projects = await listShellProjects(database(), actor);
  return (
    <Translated namespaces={[]}>
      <ConsoleShell actor={actor} projects={projects}>
        {children}
      </ConsoleShell>
    </Translated>
  );
}
