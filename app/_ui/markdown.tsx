import { Fragment, type ReactNode } from 'react';
import { cn } from './cn';

interface MarkdownProps {
  source: string;
  /** The level of the first heading, below the page's own. */
  topLevel?: 2 | 3 | 4;
  /**
   * Signs the address of a stored picture (`![](/api/blobs/<sha256>)`). The page decides which ones its
   * reader may see; without it, pictures are shown by their words.
   */
  picture?: PictureAddress;
  /** Of the text, where it can differ from that of the page. */
  lang?: string;
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
export function Markdown({ source, topLevel = 2, picture = noPicture, lang, className }: MarkdownProps) {
  return (
    <div lang={lang} className={cn('flex max-w-prose flex-col gap-3 text-base', className)}>
      {parseBlocks(source).map((block, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a parsed text has no other identity.
        <div key={index} className="contents">
          {renderBlock(block, topLevel, picture)}
        </div>
      ))}
    </div>
  );
}

/*
 * One pass, bounded look-ahead: a hostile text costs time proportional to its length.
 * Groups: code, image, label, address, bold, italic by stars, italic by underscores.
 */
const token =
  /`([^`\n]+)`|(!)?\[([^\]\n]{0,300})\]\(([^()\s]{1,1000})\)|\*\*([^*\n]+)\*\*|\*([^*\n]+)\*|(?<!\w)_([^_\n]+)_(?!\w)/g;

/** Only the web: `javascript:`, `data:` and relative addresses are shown as text. */
function safeLink(address: string): string | undefined {
  if (!/^https?:\/\//i.test(address)) return undefined;
  try {
    return new URL(address).href;
  } catch {
    return undefined;
  }
}

/** The address of a stored picture that the reader may see, or nothing. */
type PictureAddress = (sha256: string) => string | undefined;

/** Only pictures that this installation stores, so that a text cannot call home. */
const ownPicture = (address: string) => /^\/api\/blobs\/([0-9a-f]{64})(?:\?.*)?$/.exec(address)?.[1];

function anchor(label: string, address: string, picture: PictureAddress) {
  const href = safeLink(address);
  if (!href) return <>{inline(label, picture)}</>;
  return (
    <a href={href} rel="noopener noreferrer nofollow" target="_blank" className="text-accent underline">
      {inline(label, picture)}
    </a>
  );
}

function image(alt: string, address: string, picture: PictureAddress) {
  const sha256 = ownPicture(address);
  const src = sha256 && picture(sha256);
  if (!src) return <>{alt}</>;
  return (
    // biome-ignore lint/performance/noImgElement: a stored picture, already sized.
    <img src={src} alt={alt} loading="lazy" className="my-2 max-h-96 max-w-full rounded-md bg-stage" />
  );
}

function render(match: RegExpExecArray, picture: PictureAddress): ReactNode {
  const [whole, code, bang, label = '', address, bold, starred, underscored] = match;
  if (code) return <code className="rounded-sm bg-sunken px-1 font-mono text-[0.92em]">{code}</code>;
  if (address) return bang ? image(label, address, picture) : anchor(label, address, picture);
  if (bold) return <strong className="font-semibold">{inline(bold, picture)}</strong>;
  const italic = starred ?? underscored;
  return italic ? <em>{inline(italic, picture)}</em> : whole;
}

/** The inside of a block as React nodes; React escapes every character that is not markup of ours. */
function inline(text: string, picture: PictureAddress): ReactNode[] {
  const nodes: ReactNode[] = [];
  let last = 0;
  for (const match of text.matchAll(token)) {
    if (match.index > last) nodes.push(text.slice(last, match.index));
    nodes.push(<Fragment key={match.index}>{render(match, picture)}</Fragment>);
    last = match.index + match[0].length;
  }
  if (last < text.length) nodes.push(text.slice(last));
  return nodes;
}

type Block =
  | { kind: 'heading'; level: number; text: string }
  | { kind: 'paragraph'; text: string }
  | { kind: 'list'; ordered: boolean; items: string[] }
  | { kind: 'quote'; text: string }
  | { kind: 'code'; text: string };

const heading = /^(#{1,4})\s+(\S.*)$/;
const bullet = /^[-*+]\s+(\S.*)$/;
const numbered = /^\d{1,4}[.)]\s+(\S.*)$/;
const quote = /^>\s?(.*)$/;
const fence = /^```/;

const startsBlock = (line: string) =>
  [heading, bullet, numbered, quote, fence].some((form) => form.test(line));

/** Takes lines from `start` while `take` gives text, and returns them with the line after. */
function gather(lines: string[], start: number, take: (line: string) => string | undefined) {
  const texts: string[] = [];
  let at = start;
  for (; at < lines.length; at += 1) {
    const text = take(lines[at] ?? '');
    if (text === undefined) break;
    texts.push(text);
  }
  return { texts, next: at };
}

const captured = (form: RegExp) => (line: string) => form.exec(line)?.[1];

function gatherItems(lines: string[], start: number, form: RegExp) {
  const items: string[] = [];
  let at = start;
  for (; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    const text = form.exec(line)?.[1];
    const continues = /^\s{2,}\S/.test(line) && items.length > 0;
    if (text !== undefined) items.push(text);
    else if (continues) items.push(`${items.pop()} ${line.trim()}`);
    else break;
  }
  return { items, next: at };
}

/** Splits a text into blocks. What is none of the known forms is a paragraph, never markup. */
function parseBlocks(source: string): Block[] {
  const lines = source.replace(/\r\n?/g, '\n').split('\n');
  const blocks: Block[] = [];
  let at = 0;
  while (at < lines.length) {
    const line = lines[at] ?? '';
    const [, marks, title] = heading.exec(line) ?? [];
    if (line.trim() === '') at += 1;
    else if (marks && title) {
      blocks.push({ kind: 'heading', level: marks.length, text: title });
      at += 1;
    } else if (fence.test(line)) {
      const { texts, next } = gather(lines, at + 1, (each) => (fence.test(each) ? undefined : each));
      blocks.push({ kind: 'code', text: texts.join('\n') });
      at = next + 1;
    } else if (bullet.test(line) || numbered.test(line)) {
      const ordered = numbered.test(line);
      const { items, next } = gatherItems(lines, at, ordered ? numbered : bullet);
      blocks.push({ kind: 'list', ordered, items });
      at = next;
    } else if (quote.test(line)) {
      const { texts, next } = gather(lines, at, captured(quote));
      blocks.push({ kind: 'quote', text: texts.join(' ') });
      at = next;
    } else {
      const { texts, next } = gather(lines, at + 1, (each) =>
        each.trim() === '' || startsBlock(each) ? undefined : each,
      );
      blocks.push({ kind: 'paragraph', text: [line, ...texts].join(' ') });
      at = next;
    }
  }
  return blocks;
}
