import { notFound } from 'next/navigation';
import { cache } from 'react';
import { database } from '@/db';
import { TesseraError } from '@/lib/core/errors';
import { pageProject } from '@/lib/services/access/page';
import type { ProjectVerb } from '@/lib/services/access/policy';
import { getVersion } from '@/lib/services/datasets/versions/list-versions';

/** The version of a page, by number, tag, hash or "latest"; asked once per request. */
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
