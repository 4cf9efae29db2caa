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
  listed('model add', 'Check and add an ONNX model from elsewhere.', () => import('./add-model')),
  listed('evaluate', 'Measure the robustness of a model and what it looks at.', () => import('./evaluate')),
  listed('trainer install', 'Install PyTorch, so that this machine can train.', async () => ({
    command: (await import('./trainer')).installCommand,
  })),
  listed(
    'trainer calibrate',
    'Measure for a minute how fast this machine trains; used for time estimates.',
    async () => ({ command: (await import('./trainer')).calibrateCommand }),
  ),
  listed('users list', 'List accounts and their roles.', async () => ({
    command: (await import('./users')).listCommand,
  })),
  listed('users invite', 'Create an invitation link.', async () => ({
    command: (await import('./users')).inviteCommand,
  })),
  listed('users make-admin', 'Make a user an admin.', async () => ({
    command: (await import('./users')).makeAdminCommand,
  })),
  listed('users disable', 'Disable an account; its work is kept.', async () => ({
    command: (await import('./users')).disableCommand,
  })),
  listed('jobs list', 'List jobs, newest first.', async () => ({
    command: (await import('./jobs')).listCommand,
  })),
  listed('jobs show', 'Show a job with its log.', async () => ({
    command: (await import('./jobs')).showCommand,
  })),
  listed('jobs cancel', 'Cancel a waiting or running job.', async () => ({
    command: (await import('./jobs')).cancelCommand,
  })),
  listed('jobs retry', 'Retry a failed job.', async () => ({
    command: (await import('./jobs')).retryCommand,
  })),
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
