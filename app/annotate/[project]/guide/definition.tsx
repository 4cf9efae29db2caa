import type { ReactNode } from 'react';
import type { GuideExample } from '@/lib/crowd/guide-examples';
import { ExamplePictures } from './example-pictures';

type Props = {
  name: string;
  definition: ReactNode;
  /** Of the outlines. */
  colour: string;
  examples: readonly GuideExample[];
};

/** One thing to look for: its name, what counts as it, and pictures of it. */
export function Definition({ name, definition, colour, examples }: Props) {
  return (
    <li className="flex flex-wrap items-start justify-between gap-x-6 gap-y-2 px-4 py-3">
      <div className="min-w-0 flex-1 basis-60">
        <h3 className="font-medium">{name}</h3>
        <p className="max-w-prose text-ink-2">{definition}</p>
      </div>
      <ExamplePictures name={name} colour={colour} examples={examples} />
    </li>
  );
}
