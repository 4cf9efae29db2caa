import type { Command, Listed } from '../command';

const listed = (name: string, summary: string, load: Listed['load']): Listed => ({ name, summary, load });

const readingItsArguments = (run: (args: string[]) => Promise<number>): { command: Command } => ({
  command: { options: {}, readsArguments: true, run: (_, args) => run(args) },
});

/** Every command of `tessera`, in the order of the help. */
export const commands: readonly Listed[] = [
  listed('start', 'Start everything: database, web server and worker.', () => import('./start')),
  listed('build', 'Build the web app now, not at the next start (for an image).', () => import('./build')),
  listed('web', 'Run one more web server on the same database.', () => import('./web')),
  listed(
    'worker',
    'Run one more worker on the same database, or train for an instance elsewhere.',
    () => import('./worker'),
  ),
  listed('migrate', 'Bring the database up to this release; `start` does it too.', () => import('./migrate')),
  listed('demo', 'Make the demo workspace, or make it anew.', () => import('./demo')),
  listed('import', 'Add pictures to a project, or a dataset with its labels.', () => import('./import')),
  listed('images', 'List the pictures of a project.', () => import('./images')),
  listed('freeze', 'Freeze a version of a project.', () => import('./freeze')),
  listed('versions', 'List the versions of a project.', () => import('./versions')),
  listed('export', 'Write a version in a format, to a folder or an archive.', () => import('./export')),
  listed('formats', 'Formats for export and import, with their options.', () => import('./formats')),
  listed('train', 'Train a model on a version.', () => import('./train')),
  listed('model add', 'Check and enter an ONNX model that was made elsewhere.', () => import('./add-model')),
  listed('evaluate', 'Measure how robust a model is, and what it looks at.', () => import('./evaluate')),
  listed('trainer install', 'Install PyTorch, so that this machine can train.', async () => ({
    command: (await import('./trainer')).installCommand,
  })),
  listed(
    'trainer calibrate',
    'Measure for a minute how fast this machine trains; estimates use it.',
    async () => ({ command: (await import('./trainer')).calibrateCommand }),
  ),
  listed('users list', 'Who has an account, and their roles.', async () => ({
    command: (await import('./users')).listCommand,
  })),
  listed('users invite', 'Make a link with which somebody can join.', async () => ({
    command: (await import('./users')).inviteCommand,
  })),
  listed('users make-admin', 'Make somebody an admin.', async () => ({
    command: (await import('./users')).makeAdminCommand,
  })),
  listed('users disable', 'Close an account; its work stays.', async () => ({
    command: (await import('./users')).disableCommand,
  })),
  listed('jobs list', 'Jobs, newest first.', async () => ({ command: (await import('./jobs')).listCommand })),
  listed('jobs show', 'One job with its log.', async () => ({
    command: (await import('./jobs')).showCommand,
  })),
  listed('jobs cancel', 'Stop a job that waits or runs.', async () => ({
    command: (await import('./jobs')).cancelCommand,
  })),
  listed('jobs retry', 'Give a failed job another try.', async () => ({
    command: (await import('./jobs')).retryCommand,
  })),
  listed(
    'backup',
    'Write everything to one file or folder, while Tessera runs or not.',
    () => import('./backup'),
  ),
  listed('restore', 'Put a backup into this Tessera, which has to be stopped.', () => import('./restore')),
  listed('mask', 'Rasterise, compare and merge masks given as JSON lines.', async () =>
    readingItsArguments((await import('./mask')).mask),
  ),
  listed('assist install', 'Fetch the models of the smart tools; off until then.', () => import('./assist')),
  listed(
    'simulate',
    'Have simulated workers do the work of a project, and judge what came of it.',
    () => import('./simulate'),
  ),
  listed('doctor', 'Check this machine; say how to mend what is missing.', () => import('./doctor')),
];
