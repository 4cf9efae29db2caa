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

/** The address of a stored picture that the reader may see, or nothing. */
export type PictureAddress = (sha256: string) => string | undefined;

/** Only pictures that this installation stores, so that a text cannot call home. */
export const ownPicture = (address: string) => /^\/api\/blobs\/([0-9a-f]{64})(?:\?.*)?$/.exec(address)?.[1];

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
export function inline(text: string, picture: PictureAddress): ReactNode[] {
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
