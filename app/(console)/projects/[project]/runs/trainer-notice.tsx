import { RefreshWhile } from '@/app/_shell/refresh-while';
import { CopyField } from '@/app/_ui/copy-field';
import { FormError } from '@/app/_ui/forms';
import { Panel } from '@/app/_ui/panel';
import { ProgressBar } from '@/app/_ui/progress-bar';
import { database } from '@/db';
import { installCommand } from '@/lib/services/training/launch/python';
import { isInstalling, readInstallation } from '@/lib/services/training/trainers/installation';
import { listTrainers } from '@/lib/services/training/trainers/list-trainers';

/** Where no worker of this instance has PyTorch yet: how far its installation is, or the command that begins it. */
export async function TrainerNotice() {
  const db = database();
  const here = (await listTrainers(db)).filter(({ kind, state }) => kind === 'local' && state !== 'gone');
  if (here.length === 0 || here.some(({ capabilities }) => !capabilities.missing)) return null;
  const installation = await readInstallation(db);
  if (isInstalling(installation))
    return (
      <Panel
        title="PyTorch is being installed"
        description="Runs begin by themselves once it is there. Everything else works meanwhile."
      >
        <RefreshWhile active />
        <div className="flex max-w-xl flex-col gap-2">
          <ProgressBar label="Installing PyTorch" done={installation.done} total={installation.total} />
          <p className="truncate text-ink-3 text-xs">{installation.text || 'Waits for a worker'}</p>
        </div>
      </Panel>
    );
  return (
    <Panel
      title="PyTorch is missing"
      description="Runs wait for it, and begin by themselves once it is there. Everything else works meanwhile."
    >
      <div className="flex max-w-xl flex-col gap-3">
        {installation?.state === 'failed' && (
          <FormError>{`PyTorch could not be installed: ${installation.error ?? 'no reason was given'}`}</FormError>
        )}
        <CopyField label="Run this on the machine of the worker" value={installCommand} />
      </div>
    </Panel>
  );
}
