import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { crumbsFor } from '@/app/_shell/crumbs';
import { type NavigationLine, navigation } from '@/app/_shell/navigation';
import { itemAt, navigationFor, projectAt, type ShellProject } from '@/app/_shell/navigation-for';

const app = fileURLToPath(new URL('../../../app', import.meta.url));

/** Parameters may be named differently in a folder and in a link: only their place counts. */
const normalise = (path: string) => path.replace(/\[[^\]]+\]/g, '[]');

/** The address of every page file, without route groups. */
function pageRoutes(): Set<string> {
  const files = readdirSync(app, { recursive: true, encoding: 'utf8' });
  return new Set(
    files
      .filter((file) => /(^|\/)page\.tsx$/.test(file))
      .map((file) => `/${file.replace(/\/?page\.tsx$/, '')}`.replace(/\/\([^)]+\)/g, ''))
      .map((path) => normalise(path || '/')),
  );
}

const lines: NavigationLine[] = [
  { section: 'Home', label: 'Projects', path: '/projects', icon: 'projects', verb: 'me.read' },
  {
    section: 'Project',
    label: 'Overview',
    path: '/projects/[project]',
    icon: 'overview',
    verb: 'project.read',
  },
  { section: 'Collect', label: 'Gold', path: '/projects/[project]/gold', icon: 'gold', verb: 'gold.read' },
  { section: 'Instance', label: 'Users', path: '/admin/users', icon: 'users', verb: 'users.manage' },
];
const birds: ShellProject = { slug: 'birds', name: 'Birds', state: 'collecting', roles: ['researcher'] };
const cars: ShellProject = { slug: 'cars', name: 'Cars', state: 'draft', roles: ['curator'] };
const person = { name: 'Ada', email: 'ada@example.org', isAdmin: false };
const labels = (groups: ReturnType<typeof navigationFor>) =>
  groups.flatMap((group) => group.items.map((item) => item.label));

describe('the navigation', () => {
  it('has a page behind every line', () => {
    const routes = pageRoutes();
    expect(navigation.map((line) => line.path).filter((path) => !routes.has(normalise(path)))).toEqual([]);
  });

  it('names every page once', () => {
    expect(new Set(navigation.map((line) => line.path)).size).toBe(navigation.length);
  });

  it('shows the pages of a project only inside it, and only what the role there opens', () => {
    const projects = [birds, cars];
    expect(labels(navigationFor(person, projects, undefined, lines))).toEqual(['Projects']);
    expect(labels(navigationFor(person, projects, birds, lines))).toEqual(['Projects', 'Overview']);
    expect(labels(navigationFor(person, projects, cars, lines))).toEqual(['Projects', 'Overview', 'Gold']);
  });

  it('shows an admin everything', () => {
    const groups = navigationFor({ ...person, isAdmin: true }, [], { ...birds, roles: [] }, lines);
    expect(labels(groups)).toEqual(['Projects', 'Overview', 'Gold', 'Users']);
    expect(groups.map((group) => group.title)).toEqual(['Home', 'Project', 'Collect', 'Instance']);
  });

  it('knows the place of a page below a listed one', () => {
    const groups = navigationFor(person, [cars], cars, lines);
    expect(itemAt('/projects/cars/gold/17', groups)?.label).toBe('Gold');
    expect(itemAt('/projects/cars/golden', groups)?.label).toBe('Overview');
    expect(projectAt('/projects/cars/gold', [birds, cars])).toBe(cars);
    expect(projectAt('/projects/unknown', [birds, cars])).toBeUndefined();
  });
});

describe('the breadcrumb', () => {
  const groups = navigationFor({ ...person, isAdmin: true }, [cars], cars, lines);
  const text = (path: string, project?: ShellProject) =>
    crumbsFor(path, groups, project).map((crumb) => crumb.label);

  it('goes from the projects to the page in the words of the navigation', () => {
    expect(text('/projects/cars', cars)).toEqual(['Projects', 'Cars']);
    expect(text('/projects/cars/gold', cars)).toEqual(['Projects', 'Cars', 'Gold']);
    expect(text('/projects')).toEqual(['Projects']);
    expect(text('/admin/users/new')).toEqual(['Users', 'New']);
  });

  it('shortens ids and survives odd addresses', () => {
    expect(text('/projects/cars/gold/0199f2c1-7d5e-7000-8000-1234567890ab', cars).at(-1)).toBe('…7890ab');
    expect(text('/odd/%E0%A4%A')).toEqual(['Odd', '%E0%A4%A']);
  });
});
