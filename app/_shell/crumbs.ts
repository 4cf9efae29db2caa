import type { Crumb } from '@/app/_ui/breadcrumb';
import { itemAt, type NavigationGroup, type ShellProject } from './navigation-for';

const identifier = /^[0-9a-f]{8}-[0-9a-f-]{27}$/i;

/** An id is shown by its end, which is the random half; words are shown as words. */
function readable(segment: string): string {
  if (identifier.test(segment)) return `…${segment.slice(-6)}`;
  // Only versions have a number for an address.
  if (/^\d+$/.test(segment)) return `Version ${segment}`;
  let text = segment;
  try {
    text = decodeURIComponent(segment);
  } catch {
    // A malformed escape is shown as it stands.
  }
  return text.charAt(0).toUpperCase() + text.slice(1).replaceAll('-', ' ');
}

/** Where the reader is, in the words of the navigation. */
export function crumbsFor(pathname: string, groups: NavigationGroup[], project?: ShellProject): Crumb[] {
  const crumbs: Crumb[] = [];
  let rest = pathname;
  if (project) {
    const home = `/projects/${project.slug}`;
    crumbs.push({ label: 'Projects', href: '/projects' }, { label: project.name, href: home });
    rest = pathname.slice(home.length);
  }
  const item = itemAt(pathname, groups);
  const named = item && (!project || item.href !== `/projects/${project.slug}`) && item.href.startsWith('/');
  if (named && (!project || item.href.startsWith(`/projects/${project.slug}/`))) {
    crumbs.push({ label: item.label, href: item.href });
    rest = pathname.slice(item.href.length);
  }
  let href = pathname.slice(0, pathname.length - rest.length);
  for (const segment of rest.split('/').filter(Boolean)) {
    href += `/${segment}`;
    crumbs.push({ label: readable(segment), href });
  }
  return crumbs;
}
