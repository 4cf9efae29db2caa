import { Download } from 'lucide-react';
import { notFound } from 'next/navigation';
import { cache } from 'react';
import { Badge } from '@/app/_ui/badge';
import { ButtonLink } from '@/app/_ui/button';
import { PageHeader } from '@/app/_ui/page-header';
import { Tabs } from '@/app/_ui/tabs';
import { database } from '@/db';
import { TesseraError } from '@/lib/core/errors';
import { formatDateTime } from '@/lib/core/format';
import type { ProjectVerb } from '@/lib/services/access';
import { pageProject } from '@/lib/services/access/page';
import { getVersion } from '@/lib/services/datasets/versions/list-versions';

interface Props {
  page: PageVersion;
  tab: 'card' | 'documentation' | 'statistics' | 'compare' | 'export';
}

/** The version with its tabs. */
export function VersionHeader({ page: { version, path }, tab }: Props) {
  const hrefs = {
    card: path,
    documentation: `${path}/documentation`,
    statistics: `${path}/statistics`,
    compare: `${path}/compare`,
    export: `${path}/export`,
  };
  return (
    <>
      <PageHeader
        title={`Version ${version.number}`}
        facts={
          <>
            {version.tags.map((tag) => (
              <Badge key={tag}>{tag}</Badge>
            ))}
            {version.supersededBy !== null && (
              <Badge tone="warn">superseded by version {version.supersededBy}</Badge>
            )}
            <span title={version.hash} className="font-mono text-xs">
              {version.hash.slice(0, 12)}
            </span>
            <span className="text-xs">
              frozen {formatDateTime(version.at)} UTC{version.by && ` by ${version.by}`}
            </span>
          </>
        }
        description={version.description || undefined}
        action={
          tab !== 'export' && (
            <ButtonLink variant="primary" href={hrefs.export} icon={<Download aria-hidden />}>
              Export
            </ButtonLink>
          )
        }
      />
      <Tabs
        label="Pages of the version"
        current={hrefs[tab]}
        tabs={[
          { label: 'Card', href: hrefs.card },
          { label: 'Documentation', href: hrefs.documentation },
          { label: 'Statistics', href: hrefs.statistics },
          { label: 'Compare', href: hrefs.compare },
          { label: 'Export', href: hrefs.export, count: version.exports },
        ]}
      />
    </>
  );
}

/** The version of a page, by number, tag, hash or "latest"; loaded once per request. */
export const pageVersion = cache(async (slug: string, name: string, verb: ProjectVerb = 'project.read') => {
  const access = await pageProject(slug, verb);
  const version = await getVersion(database(), {
    projectId: access.project.id,
    version: name,
  }).catch((error) => {
    if (error instanceof TesseraError) notFound();
    throw error;
  });
  const data = `/projects/${access.project.slug}/data`;
  return { access, version, data, path: `${data}/${version.number}` };
});

export type PageVersion = Awaited<ReturnType<typeof pageVersion>>;
