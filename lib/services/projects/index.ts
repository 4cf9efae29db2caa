/** Projects, their schema versions, and the effects of schema changes on existing work. */

export { countProjects, type ProjectCounts } from './count-projects';
export { createProject, type NewProject } from './create-project';
export { getProject } from './get-project';
export { listProjects, type ProjectQuery } from './list-projects';
export { listShellProjects } from './list-shell-projects';
export {
  archiveProject,
  nextStates,
  type ProjectChange,
  restoreProject,
  updateProject,
} from './update-project';
