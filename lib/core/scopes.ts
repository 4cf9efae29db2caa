/** What an API key may be allowed to do. A key never gives more than its owner has. */
export const scopes = [
  { id: 'read', says: 'Read projects, images, jobs and results.' },
  { id: 'projects:write', says: 'Create and change projects and their schema.' },
  { id: 'images:write', says: 'Add, exclude and delete images.' },
  { id: 'labels:write', says: 'Write gold, take work and decide about answers.' },
  { id: 'members:write', says: 'Invite people to a project and change their roles.' },
  { id: 'datasets:write', says: 'Freeze versions.' },
  { id: 'datasets:export', says: 'Export versions and download the files.' },
  { id: 'runs:write', says: 'Start and stop training runs and evaluations, register models.' },
  { id: 'jobs:write', says: 'Cancel and retry jobs.' },
  {
    id: 'trainers',
    says: 'Train runs of this instance on another machine, if the owner of the key is an instance admin.',
  },
  { id: 'admin', says: 'Act with the rights of an instance admin, if the owner of the key is one.' },
] as const;

export type Scope = (typeof scopes)[number]['id'];

export const scopeIds = scopes.map((scope) => scope.id) as [Scope, ...Scope[]];
