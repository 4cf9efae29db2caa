import { useMemo, useRef } from 'react';
import type { Camera, WorkspaceSettings } from '@/lib/core/editor';
import { keepSettings } from './keep-settings';

/** Changes are gathered this long before they are stored with the account, in ms. */
const GATHER_MS = 500;

/** The person's tool and view settings: the same on every item, and kept with the account. */
export interface RememberedSettings {
  readonly current: WorkspaceSettings;
  readonly change: (change: WorkspaceSettings) => void;
  /** How the images of the batch were last looked at, by `WorkImage.key`; until the page is left. */
  readonly cameras: Map<string, Camera>;
}

export function useRememberedSettings(stored: WorkspaceSettings): RememberedSettings {
  const settings = useRef(stored);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  return useMemo(
    () => ({
      get current() {
        return settings.current;
      },
      cameras: new Map<string, Camera>(),
      change: (change: WorkspaceSettings) => {
        const next = { ...settings.current, ...change };
        if (JSON.stringify(next) === JSON.stringify(settings.current)) return;
        settings.current = next;
        clearTimeout(timer.current);
        // Without a connection they last until the page is left.
        timer.current = setTimeout(() => void keepSettings(next).catch(() => undefined), GATHER_MS);
      },
    }),
    [],
  );
}
