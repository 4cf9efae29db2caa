import { useState } from 'react';

type Sheet = 'shortcuts' | 'comment';

export type Sheets = {
  readonly shown: Sheet | undefined;
  readonly show: (sheet: Sheet | undefined) => void;
};

/** Which sheet lies over the work, if any. */
export function useSheets(): Sheets {
  const [shown, show] = useState<Sheet>();
  return { shown, show };
}
