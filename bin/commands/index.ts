import type { Command, Listed } from '../command';

const listed = (name: string, summary: string, load: Listed['load']): Listed => ({ name, summary, load });

const readingItsArguments = (run: (args: string[]) => Promise<number>): { command: Command } => ({
  command: { options: {}, readsArguments: true, run: (_, args) => run(args) },
});

/** Every command of `tessera`, in the order of the help. */
export const commands: readonly Listed[] = [
  listed('start', 'Start everything: database, web server and worker.', () => import('./start')),
  listed(
    'build',
    'Build the web app now instead of at the next start (for container images).',
    () => import('./build'),
  ),
  listed('web', 'Run an additional web server on the same database.', () => import('./web')),
  listed(
    'worker',
    'Run an additional worker on the same database, or train for a remote instance.',
    () => import('./worker'),
  ),
  listed(
    'migrate',
    'Apply the migrations of this release; `start` does this as well.',
    () => import('./migrate'),
  ),
  listed('demo', 'Create or recreate the demo workspace.', () => import('./demo')),
  listed(
    'import',
    'Import pictures, or a dataset with its labels, into a project.',
    () => import('./import'),
  ),
  listed('images', 'List the pictures of a project.', () => import('./images')),
  listed('freeze', 'Freeze a version of a project.', () => import('./freeze')),
  listed('versions', 'List the versions of a project.', () => import('./versions')),
  listed('export', 'Export a version in a format to a folder or an archive.', () => import('./export')),
  listed('formats', 'List the formats for export and import with their options.', () => import('./formats')),
  listed('train', 'Train a model on a version.', () => import('./train')),
  listed('model add', 'Check and add an ONNX model from elsewhere.', () => import('./model/add')),
  listed('evaluate', 'Measure the robustness of a model and what it looks at.', () => import('./evaluate')),
  listed(
    'trainer install',
    'Install PyTorch, so that this machine can train.',
    () => import('./trainer/install'),
  ),
  listed(
    'trainer calibrate',
    'Measure for a minute how fast this machine trains; used for time estimates.',
    () => import('./trainer/calibrate'),
  ),
  listed('users list', 'List accounts and their roles.', () => import('./users/list')),
  listed('users invite', 'Create an invitation link.', () => import('./users/invite')),
  listed('users make-admin', 'Make a user an admin.', () => import('./users/make-admin')),
  listed('users disable', 'Disable an account; its work is kept.', () => import('./users/disable')),
  listed('jobs list', 'List jobs, newest first.', () => import('./jobs/list')),
  listed('jobs show', 'Show a job with its log.', () => import('./jobs/show')),
  listed('jobs cancel', 'Cancel a waiting or running job.', () => import('./jobs/cancel')),
  listed('jobs retry', 'Retry a failed job.', () => import('./jobs/retry')),
  listed(
    'backup',
    'Back up everything to one file or folder, whether or not Tessera is running.',
    () => import('./backup'),
  ),
  listed('restore', 'Restore a backup into this instance, which must be stopped.', () => import('./restore')),
  listed('mask', 'Rasterize, compare and merge masks given as JSON lines.', async () =>
    readingItsArguments((await import('./mask')).mask),
  ),
  listed('assist install', 'Install the models of the smart tools.', () => import('./assist')),
  listed(
    'simulate',
    'Have simulated workers do the work of a project, and report the result.',
    () => import('./simulate'),
  ),
  listed('doctor', 'Check this machine and explain how to fix problems.', () => import('./doctor')),
];
