import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { projectFolder } from '@/lib/config';

interface Route {
  page: string;
  regex: string;
}

/** Names the pattern of a path, `/projects/[project]/images`, as Next has listed them when it built. */
export function pageRoutes(): (url: string) => string {
  const file = path.join(projectFolder, '.next', 'routes-manifest.json');
  const { staticRoutes, dynamicRoutes }: { staticRoutes: Route[]; dynamicRoutes: Route[] } = existsSync(file)
    ? JSON.parse(readFileSync(file, 'utf8'))
    : { staticRoutes: [], dynamicRoutes: [] };
  const routes = [...staticRoutes, ...dynamicRoutes].map(({ page, regex }) => ({
    page,
    pattern: new RegExp(regex),
  }));
  return (url) => {
    const asked = url.split('?')[0] ?? '';
    if (asked.startsWith('/_next/')) return '/_next';
    // A path that is no page has no series of its own, or anybody could make as many as they like.
    return routes.find(({ pattern }) => pattern.test(asked))?.page ?? 'none';
  };
}
