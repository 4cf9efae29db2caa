import type { ReactNode } from 'react';
import { PageHeader } from '@/app/_ui/page-header';
import { Tabs } from '@/app/_ui/tabs';

type Props = {
  slug: string;
  at: '' | '/samples';
  title: string;
  description?: ReactNode;
  facts?: ReactNode;
  action?: ReactNode;
  more?: ReactNode;
};

/** The header of the audit pages: the queue, and random samples. */
export function AuditHead({ slug, at, ...header }: Props) {
  const home = `/projects/${slug}/audit`;
  return (
    <div className="flex shrink-0 flex-col gap-3 px-6 pt-4">
      <PageHeader {...header} />
      <Tabs
        label="Pages about the audit"
        tabs={[
          { label: 'Queue', href: home },
          { label: 'Samples', href: `${home}/samples` },
        ]}
        current={`${home}${at}`}
      />
    </div>
  );
}
