import { useState } from 'react';
import type { Overlay } from './layers';
import type { AuditActions } from './use-audit-keys';

export type Look = {
  overlay: Overlay;
  isBare: boolean;
  isSideBySide: boolean;
  isClose: boolean;
};

/** How the picture is looked at; it stays so from label to label. */
export function useLook(): { look: Look; change: (change: Partial<Look>) => void; actions: AuditActions } {
  const [look, setLook] = useState<Look>({
    overlay: 'outline',
    isBare: false,
    isSideBySide: false,
    isClose: false,
  });
  const change = (more: Partial<Look>) => setLook((now) => ({ ...now, ...more }));
  return {
    look,
    change,
    actions: {
      hide: (isDown) => change({ isBare: isDown }),
      outline: () => change({ overlay: 'outline' }),
      answers: () => change({ overlay: 'answers' }),
      difference: () => change({ overlay: 'difference' }),
      votes: () => change({ overlay: 'votes' }),
      'side-by-side': () => change({ isSideBySide: !look.isSideBySide }),
      zoom: () => change({ isClose: !look.isClose }),
    },
  };
}
