import { Markdown } from '@/app/_ui/markdown';
import type { GuideExample } from '@/lib/services/crowd/guide-examples';
import type { TranslatedGuide } from '@/lib/services/crowd/translations';
import { ExamplePictures } from './example-pictures';
import { WrittenExamples } from './written-examples';

type Props = {
  part: TranslatedGuide['targets'][number];
  pictures: TranslatedGuide['pictures'];
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
          <Markdown
            source={part.short}
            lang={part.languages.short}
            picture={picture}
            topLevel={4}
            className="text-ink-2"
          />
          {part.full !== '' && (
            <Markdown
              source={part.full}
              lang={part.languages.full}
              picture={picture}
              topLevel={4}
              className="mt-2 text-ink-2"
            />
          )}
        </div>
        <ExamplePictures name={part.name} colour={colour} examples={labelled} />
      </div>
      {part.examples.length > 0 && <WrittenExamples examples={part.examples} pictures={pictures} />}
    </li>
  );
}
