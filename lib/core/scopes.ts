/** What an API key may be allowed to do. A key never gives more than its owner has. */
export const scopes = [
  { id: 'read', description: 'Read projects, images, jobs and results.' },
  { id: 'projects:write', description: 'Create and change projects and their schema.' },
  { id: 'images:write', description: 'Add, exclude and delete images.' },
  { id: 'labels:write', description: 'Write gold, take work and decide about answers.' },
  { id: 'members:write', description: 'Invite people to a project and change their roles.' },
  { id: 'datasets:write', description: 'Freeze versions.' },
  { id: 'datasets:export', description: 'Export versions and download the files.' },
  { id: 'runs:write', description: 'Start and stop training runs and evaluations, register models.' },
  { id: 'jobs:write', description: 'Cancel and retry jobs.' },
  {
    id: 'trainers',
    description:
      'Train runs of this instance on another machine, if the owner of the key is an instance admin.',
  },
  { id: 'admin', description: 'Act with the rights of an instance admin, if the owner of the key is one.' },
] as const;

export type Scope = (typeof scopes)[number]['id'];

export const scopeIds = scopes.map((scope) => scope.id) as [Scope, ...Scope[]];
