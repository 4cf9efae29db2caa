import type { Role } from '@/db/schema';
import { isAllowed } from '@/lib/services/access/policy';
import type { IconName } from './icons';
import { type NavigationLine, navigation, sections } from './navigation';

export interface ShellActor {
  name: string;
  email: string;
  isAdmin: boolean;
}

/** What goes to the browser: an actor may carry more (ids, scopes) than the page shows. */
export const onlyShown = ({ name, email, isAdmin }: ShellActor): ShellActor => ({ name, email, isAdmin });

export interface ShellProject {
  slug: string;
  name: string;
  state: string;
  roles: Role[];
}

export interface NavigationItem {
  label: string;
  href: string;
  icon: IconName;
  also?: string;
}

export interface NavigationGroup {
  title: string;
  items: NavigationItem[];
}

/** The project that an address is inside of, among those the actor knows. */
export function projectAt(pathname: string, projects: ShellProject[]): ShellProject | undefined {
  const [, root, slug] = pathname.split('/');
  return root === 'projects' ? projects.find((project) => project.slug === slug) : undefined;
}

/** What an actor may open here: the registry, cut by the policy, with the project's name in the paths. */
export function navigationFor(
  actor: ShellActor,
  projects: ShellProject[],
  project: ShellProject | undefined,
  lines: NavigationLine[] = navigation,
): NavigationGroup[] {
  const everywhere = [...new Set(projects.flatMap((each) => each.roles))];
  const visible = lines.filter((line) => {
    const inside = line.path.includes('[project]');
    const roles = inside ? (project?.roles ?? []) : everywhere;
    return (!inside || project) && isAllowed(line.verb, { isAdmin: actor.isAdmin, roles, scopes: null });
  });
  return sections.flatMap((title) => {
    const items = visible
      .filter((line) => line.section === title)
      .map(({ label, path, icon, also }) => ({
        label,
        href: path.replace('[project]', project?.slug ?? ''),
        icon,
        also,
      }));
    return items.length ? [{ title, items }] : [];
  });
}

/** The item whose address is the longest beginning of the path: the page's own place. */
export function itemAt(pathname: string, groups: NavigationGroup[]): NavigationItem | undefined {
  return groups
    .flatMap((group) => group.items)
    .filter((item) => pathname === item.href || pathname.startsWith(`${item.href}/`))
    .sort((a, b) => b.href.length - a.href.length)[0];
}
