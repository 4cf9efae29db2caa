import type { ReactNode } from 'react';
import { Page, PageHeader } from '@/app/_ui/page-header';
import { Tabs } from '@/app/_ui/tabs';

/** The pages about workers, in the order in which a curator needs them. */
const pages = [
  { path: '', label: 'Workers' },
  { path: '/exams', label: 'Exams' },
  { path: '/checks', label: 'Checks' },
  { path: '/rules', label: 'Rules' },
  { path: '/pay', label: 'Pay' },
  { path: '/policy', label: 'Policy' },
  { path: '/guide', label: 'Guide' },
  { path: '/consent', label: 'Consent' },
  { path: '/translations', label: 'Translations' },
  { path: '/invite', label: 'Invite' },
  { path: '/people', label: 'Roles' },
] as const;

interface CrowdPageProps {
  slug: string;
  /** Path of the current page. */
  at: (typeof pages)[number]['path'];
  title: string;
  description?: ReactNode;
  facts?: ReactNode;
  action?: ReactNode;
  more?: ReactNode;
  narrow?: boolean;
  children: ReactNode;
}

/** The frame of every page about the crowd: title and tabs. */
export function CrowdPage({ slug, at, narrow, children, ...header }: CrowdPageProps) {
  const home = `/projects/${slug}/crowd`;
  return (
    <Page narrow={narrow}>
      <PageHeader {...header} />
      <Tabs
        label="Pages about the crowd"
        tabs={pages.map(({ path, label }) => ({ label, href: `${home}${path}` }))}
        current={`${home}${at}`}
      />
      {children}
    </Page>
  );
}
