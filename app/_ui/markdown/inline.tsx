import { Fragment, type ReactNode } from 'react';

/*
 * One pass, bounded look-ahead: a hostile text costs time proportional to its length.
 * Groups: code, image, label, address, bold, italic by stars, italic by underscores.
 */
const token =
  /`([^`\n]+)`|(!)?\[([^\]\n]{0,300})\]\(([^()\s]{1,1000})\)|\*\*([^*\n]+)\*\*|\*([^*\n]+)\*|(?<!\w)_([^_\n]+)_(?!\w)/g;

/** Only the web: `javascript:`, `data:` and relative addresses are shown as text. */
export function safeLink(address: string): string | undefined {
  if (!/^https?:\/\//i.test(address)) return undefined;
  try {
    return new URL(address).href;
  } catch {
    return undefined;
  }
}

/** Only pictures that this installation stores, so that a text cannot call home. */
export const isOwnPicture = (address: string) =>
  /^\/api\/v1\/blobs\/[0-9a-f]{64}(\?[\w=&.%~-]*)?$/.test(address);

function anchor(label: string, address: string) {
  const href = safeLink(address);
  if (!href) return <>{inline(label)}</>;
  return (
    <a href={href} rel="noopener noreferrer nofollow" target="_blank" className="text-accent underline">
      {inline(label)}
    </a>
  );
}

function picture(alt: string, address: string) {
  if (!isOwnPicture(address)) return <>{alt}</>;
  return (
    // biome-ignore lint/performance/noImgElement: a stored picture, already sized.
    <img src={address} alt={alt} loading="lazy" className="my-2 max-h-96 max-w-full rounded-md bg-stage" />
  );
}

function render(match: RegExpExecArray): ReactNode {
  const [whole, code, image, label, address, bold, starred, underscored] = match;
  if (code) return <code className="rounded-sm bg-sunken px-1 font-mono text-[0.92em]">{code}</code>;
  if (address) return image ? picture(label ?? '', address) : anchor(label ?? '', address);
  if (bold) return <strong className="font-semibold">{inline(bold)}</strong>;
  const italic = starred ?? underscored;
  return italic ? <em>{inline(italic)}</em> : whole;
}

/** The inside of a block as React nodes; React escapes every character that is not markup of ours. */
export function inline(text: string): ReactNode[] {
  const nodes: ReactNode[] = [];
  let last = 0;
  for (const match of text.matchAll(token)) {
    if (match.index > last) nodes.push(text.slice(last, match.index));
    nodes.push(<Fragment key={match.index}>{render(match)}</Fragment>);
    last = match.index + match[0].length;
  }
  if (last < text.length) nodes.push(text.slice(last));
  return nodes;
}
