export type Outline = { readonly id: string; readonly colour: string; readonly path: string };

type Props = {
  url: string;
  /** Empty inside of something that has a name already. */
  alt: string;
  /** Of the image whose pixels the outlines count, whatever the size of the file. */
  width: number;
  height: number;
  outlines: readonly Outline[];
  /** The part of the image that shows: left, top, width, height. */
  view?: readonly [number, number, number, number];
  className?: string;
};

/** A picture with masks over it, as outlines with a faint fill. */
export function OutlinedPicture({ url, alt, width, height, outlines, view, className }: Props) {
  return (
    <svg
      role={alt === '' ? undefined : 'img'}
      aria-hidden={alt === '' ? true : undefined}
      aria-label={alt || undefined}
      viewBox={(view ?? [0, 0, width, height]).join(' ')}
      className={className}
    >
      <image href={url} width={width} height={height} preserveAspectRatio="none" />
      <OutlinePaths outlines={outlines} fillOpacity={0.28} strokeWidth={1.5} />
    </svg>
  );
}

type PathsProps = { outlines: readonly Outline[]; fillOpacity: number; strokeWidth: number };

/** Within an SVG whose view box counts pixels of the image; lines keep their width at any scale. */
export function OutlinePaths({ outlines, fillOpacity, strokeWidth }: PathsProps) {
  return outlines.map(({ id, path, colour }) => (
    <path
      key={id}
      d={path}
      fill={colour}
      fillOpacity={fillOpacity}
      fillRule="evenodd"
      stroke={colour}
      strokeWidth={strokeWidth}
      vectorEffect="non-scaling-stroke"
    />
  ));
}
