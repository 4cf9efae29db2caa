'use client';

import { useState } from 'react';
import { Button } from '@/app/_ui/button';
import { ErrorState } from '@/app/_ui/error-state';
import type { ItemProps } from './item-props';
import { reportBroken } from './report-buttons';
import { unclosedItems } from './work-image';

/** In place of an image that is not there. The rest of the batch goes on. */
export function ImageProblem({ item, isBroken }: { item: ItemProps; isBroken: boolean }) {
  const [problem, setProblem] = useState<string>();
  const report = async () =>
    setProblem(await reportBroken(unclosedItems(item.work, item.image), item.onReleased));
  return (
    <ErrorState
      className="m-auto"
      title={isBroken ? 'This image cannot be shown' : 'The image did not arrive'}
      action={
        <>
          {!isBroken && <Button onClick={item.onReload}>Try again</Button>}
          <Button variant="primary" disabled={!item.canEdit} onClick={report}>
            Report and go on
          </Button>
        </>
      }
    >
      {problem ??
        (isBroken
          ? 'The file is damaged. Report it and go on with the next item; you lose nothing by it.'
          : 'The connection or the link failed. Try again, or report the image and go on.')}
    </ErrorState>
  );
}
