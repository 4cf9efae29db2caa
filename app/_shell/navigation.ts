import type { Verb } from '@/lib/services/access';
import type { IconName } from './icons';

export const sections = ['Home', 'Project', 'Collect', 'Quality', 'Data and models', 'Instance'] as const;

export interface NavigationLine {
  section: (typeof sections)[number];
  label: string;
  /** The page's path; a line with `[project]` shows inside a project. */
  path: string;
  icon: IconName;
  /** Right that is required to see the entry. */
  verb: Verb;
  /** Further words that find the line in the command palette. */
  also?: string;
}

/** One line per page that exists (test/app/ui/navigation.test.ts). A new page is added here, nowhere else. */
export const navigation: NavigationLine[] = [
  { section: 'Home', label: 'Projects', path: '/projects', icon: 'projects', verb: 'me.read' },
  {
    section: 'Home',
    label: 'Jobs',
    path: '/jobs',
    icon: 'jobs',
    verb: 'me.read',
    also: 'progress queue background',
  },
  {
    section: 'Project',
    label: 'Overview',
    path: '/projects/[project]',
    icon: 'overview',
    verb: 'project.read',
    also: 'dashboard',
  },
  {
    section: 'Project',
    label: 'Set-up',
    path: '/projects/[project]/setup',
    icon: 'setup',
    verb: 'crowd.read',
    also: 'start begin guided path steps',
  },
  {
    section: 'Project',
    label: 'Images',
    path: '/projects/[project]/images',
    icon: 'images',
    verb: 'images.read',
    also: 'pictures grid',
  },
  {
    section: 'Project',
    label: 'Schema',
    path: '/projects/[project]/schema',
    icon: 'schema',
    verb: 'project.read',
    also: 'classes attributes parts edit versions z-order',
  },
  {
    section: 'Project',
    label: 'Activity',
    path: '/projects/[project]/activity',
    icon: 'activity',
    verb: 'activity.read',
    also: 'audit trail log',
  },
  {
    section: 'Project',
    label: 'Settings',
    path: '/projects/[project]/settings',
    icon: 'settings',
    verb: 'project.write',
    also: 'name state archive',
  },
  {
    section: 'Collect',
    label: 'Gold',
    path: '/projects/[project]/gold',
    icon: 'gold',
    verb: 'gold.read',
    also: 'known answers checks exam candidates import two people',
  },
  {
    section: 'Collect',
    label: 'Crowd',
    path: '/projects/[project]/crowd',
    icon: 'crowd',
    verb: 'crowd.read',
    also: 'workers people members roles invite exams bar rules checks pay bonus policy guide consent translations languages prolific',
  },
  {
    section: 'Quality',
    label: 'Agreement',
    path: '/projects/[project]/agreement',
    icon: 'agreement',
    verb: 'project.read',
    also: 'consensus majority dawid skene staple alpha disagreement',
  },
  {
    section: 'Quality',
    label: 'Audit',
    path: '/projects/[project]/audit',
    icon: 'audit',
    verb: 'crowd.read',
    also: 'review queue labels sample error rate accept reject fix warnings',
  },
  {
    section: 'Data and models',
    label: 'Data',
    path: '/projects/[project]/data',
    icon: 'data',
    verb: 'project.read',
    also: 'versions freeze split export statistics compare coco card hash leaks',
  },
  {
    section: 'Data and models',
    label: 'Runs',
    path: '/projects/[project]/runs',
    icon: 'runs',
    verb: 'project.read',
    also: 'train training new compare table seeds pgd trades autoattack robust accuracy',
  },
  {
    section: 'Data and models',
    label: 'Models',
    path: '/projects/[project]/models',
    icon: 'models',
    verb: 'project.read',
    also: 'onnx registry promote archive contract download',
  },
  {
    section: 'Data and models',
    label: 'Evaluations',
    path: '/projects/[project]/evaluations',
    icon: 'evaluations',
    verb: 'project.read',
    also: 'robustness noise rfs saliency corruptions backgrounds attacks square',
  },
  {
    section: 'Data and models',
    label: 'Leaderboard',
    path: '/projects/[project]/leaderboard',
    icon: 'leaderboard',
    verb: 'project.read',
    also: 'compare models ranking best robustness',
  },
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
  {
    section: 'Instance',
    label: 'Workers',
    path: '/admin/workers',
    icon: 'machines',
    verb: 'trainers.manage',
    also: 'machines trainers gpu pytorch slurm elsewhere',
  },
];
