/** View settings of the images page. Stored in a cookie, so that the server renders the right view. */
export const viewCookie = 'tessera-images';

export const views = ['grid', 'table'] as const;
export const sizes = ['small', 'medium', 'large'] as const;

export type View = {
  view: (typeof views)[number];
  size: (typeof sizes)[number];
  /** Whether masks are drawn over the thumbnails. */
  outlines: boolean;
};

export function readView(cookie: string | undefined): View {
  const [view, size, outlines] = (cookie ?? '').split('.');
  return {
    view: views.find((word) => word === view) ?? 'grid',
    size: sizes.find((word) => word === size) ?? 'medium',
    outlines: outlines === 'outlines',
  };
}

/** Serializes a view for the cookie; all values come from fixed lists and need no escaping. */
export const viewWords = ({ view, size, outlines }: View): string =>
  `${view}.${size}.${outlines ? 'outlines' : 'plain'}`;
