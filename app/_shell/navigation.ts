import type { Verb } from '@/lib/auth/policy';
import type { IconName } from './icons';

export const sections = ['Home', 'Project', 'Collect', 'Quality', 'Data and models', 'Instance'] as const;

export interface NavigationLine {
  section: (typeof sections)[number];
  label: string;
  /** The page's path; a line with `[project]` shows inside a project. */
  path: string;
  icon: IconName;
  /** Whoever may do this sees the line. */
  verb: Verb;
  /** Further words that find the line in the command palette. */
  also?: string;
}

/** One line per page that exists (test/ui/navigation.test.ts). A new page is added here, nowhere else. */
export const navigation: NavigationLine[] = [
  {
    section: 'Instance',
    label: 'Users',
    path: '/admin/users',
    icon: 'users',
    verb: 'users.manage',
    also: 'people',
  },
  {
    section: 'Instance',
    label: 'Invitations',
    path: '/admin/invitations',
    icon: 'invitations',
    verb: 'users.manage',
  },
];
