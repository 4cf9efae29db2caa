/** How a person likes to look at images; a cookie, so that the server draws it right the first time. */
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

/** In our own words only: they go into a cookie as they are. */
export const viewWords = ({ view, size, outlines }: View): string =>
  `${view}.${size}.${outlines ? 'outlines' : 'plain'}`;
