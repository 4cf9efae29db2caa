import type { ReactNode } from 'react';
import { SetupReturn } from './setup-return';

type Props = { params: Promise<{ project: string }>; children: ReactNode };

export default async function ProjectLayout({ params, children }: Props) {
  const { project } = await params;
  return (
    <>
      <SetupReturn slug={project} />
      {children}
    </>
  );
}
