import { cn } from '../cn';
import { type Block, parseBlocks } from './blocks';
import { inline, type PictureAddress } from './inline';

interface MarkdownProps {
  source: string;
  /** The level of the first heading, below the page's own. */
  topLevel?: 2 | 3 | 4;
  /**
   * Signs the address of a stored picture (`![](/api/blobs/<sha256>)`). The page decides which ones its
   * reader may see; without it, pictures are shown by their words.
   */
  picture?: PictureAddress;
  className?: string;
}

const headingTags = ['h2', 'h3', 'h4', 'h5', 'h6'] as const;

function renderBlock(block: Block, topLevel: number, picture: PictureAddress) {
  switch (block.kind) {
    case 'heading': {
      const Tag = headingTags[Math.min(topLevel - 2 + block.level - 1, 4)] ?? 'h6';
      return (
        <Tag dir="auto" className="mt-2 font-semibold first:mt-0">
          {inline(block.text, picture)}
        </Tag>
      );
    }
    case 'list': {
      const Tag = block.ordered ? 'ol' : 'ul';
      return (
        <Tag
          dir="auto"
          className={cn('flex flex-col gap-1 ps-5', block.ordered ? 'list-decimal' : 'list-disc')}
        >
          {block.items.map((item, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a parsed text has no other identity.
            <li key={index}>{inline(item, picture)}</li>
          ))}
        </Tag>
      );
    }
    case 'quote':
      return (
        <blockquote className="border-s-2 border-line ps-3 text-ink-2">
          {inline(block.text, picture)}
        </blockquote>
      );
    case 'code':
      return <pre className="overflow-x-auto rounded-md bg-sunken p-3 font-mono text-xs">{block.text}</pre>;
    case 'paragraph':
      return <p dir="auto">{inline(block.text, picture)}</p>;
  }
}

const noPicture: PictureAddress = () => undefined;

/** The subset of Markdown that instructions need. HTML in the source is text like any other. */
export function Markdown({ source, topLevel = 2, picture = noPicture, className }: MarkdownProps) {
  return (
    <div className={cn('flex max-w-prose flex-col gap-3 text-base', className)}>
      {parseBlocks(source).map((block, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a parsed text has no other identity.
        <div key={index} className="contents">
          {renderBlock(block, topLevel, picture)}
        </div>
      ))}
    </div>
  );
}
