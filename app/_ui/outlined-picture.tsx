export type Outline = { readonly id: string; readonly colour: string; readonly path: string };

type Props = {
  url: string;
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
      role="img"
      aria-label={alt}
      viewBox={(view ?? [0, 0, width, height]).join(' ')}
      className={className}
    >
      <image href={url} width={width} height={height} preserveAspectRatio="none" />
      {outlines.map((outline) => (
        <path
          key={outline.id}
          d={outline.path}
          fill={outline.colour}
          fillOpacity={0.28}
          fillRule="evenodd"
          stroke={outline.colour}
          strokeWidth={1.5}
          vectorEffect="non-scaling-stroke"
        />
      ))}
    </svg>
  );
}
