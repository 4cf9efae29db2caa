import { Markdown } from '@/app/_ui/markdown';
import type { StageGuide } from '@/lib/services/crowd/guide';
import type { GuideExample } from '@/lib/services/crowd/guide-examples';
import { ExamplePictures } from './example-pictures';
import { WrittenExamples } from './written-examples';

type Props = {
  part: StageGuide['targets'][number];
  pictures: StageGuide['pictures'];
  /** Of the outlines. */
  colour: string;
  labelled: readonly GuideExample[];
};

/** One thing to look for: its name, what counts as it, and pictures of it. */
export function Definition({ part, pictures, colour, labelled }: Props) {
  const picture = (sha256: string) => pictures[sha256];
  return (
    <li className="flex flex-col gap-3 px-4 py-3">
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-2">
        <div className="min-w-0 flex-1 basis-60">
          <h3 className="font-medium">{part.name}</h3>
          <Markdown source={part.short} picture={picture} topLevel={4} className="text-ink-2" />
          {part.full !== '' && (
            <Markdown source={part.full} picture={picture} topLevel={4} className="mt-2 text-ink-2" />
          )}
        </div>
        <ExamplePictures name={part.name} colour={colour} examples={labelled} />
      </div>
      {part.examples.length > 0 && <WrittenExamples examples={part.examples} pictures={pictures} />}
    </li>
  );
}
