'use client';

import { Button } from '@/app/_ui/button';
import { ConfirmDialog } from '@/app/_ui/confirm-dialog';
import { changeState } from './actions';

type Props = { slug: string; name: string; next: string[] };

const words: Record<string, { act: string; means: string }> = {
  collecting: { act: 'Start collecting', means: 'Workers of this project can take items from now on.' },
  paused: {
    act: 'Pause',
    means: 'No more items are handed out. Batches that are out can still be submitted and are paid.',
  },
  finished: {
    act: 'Finish',
    means: 'No more items are handed out and no images are added. It can be reopened.',
  },
  archived: {
    act: 'Archive',
    means: 'The project disappears from the lists and nothing in it can be changed. It can be taken back.',
  },
};

export function StateButtons({ slug, name, next }: Props) {
  return (
    <div className="flex flex-wrap gap-2">
      {next.map((state) => {
        const { act, means } = words[state] ?? { act: state, means: '' };
        return (
          <ConfirmDialog
            key={state}
            trigger={<Button>{act}</Button>}
            title={`${act}: ${name}`}
            confirm={act}
            danger={state === 'archived'}
            onConfirm={async () => (await changeState(slug, state)).error}
          >
            {means}
          </ConfirmDialog>
        );
      })}
    </div>
  );
}
