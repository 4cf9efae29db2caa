import { cn } from '@/app/_ui/cn';
import type { LayerShape, View } from './layers';

type Props = {
  url: string;
  /** Empty where words beside the picture say it. */
  alt: string;
  width: number;
  height: number;
  view: View;
  layers: readonly LayerShape[];
  /** Nothing but the picture. */
  isBare?: boolean;
  className?: string;
};

/** A picture, or a piece of it, with areas over it. */
export function LabelPicture({ url, alt, width, height, view, layers, isBare, className }: Props) {
  return (
    <svg
      role="img"
      aria-label={alt || undefined}
      aria-hidden={alt === '' || undefined}
      viewBox={`${view.x} ${view.y} ${view.width} ${view.height}`}
      className={cn('block', className)}
    >
      <image href={url} width={width} height={height} preserveAspectRatio="none" />
      <g visibility={isBare ? 'hidden' : undefined}>
        {layers.map(({ id, path, colour, fill, stroke }) => (
          <g key={id}>
            {stroke && (
              <path
                d={path}
                fill="none"
                stroke="rgb(0 0 0 / 55%)"
                strokeWidth={3}
                vectorEffect="non-scaling-stroke"
              />
            )}
            <path
              d={path}
              fill={fill > 0 ? colour : 'none'}
              fillOpacity={fill}
              fillRule="evenodd"
              stroke={stroke ? colour : 'none'}
              strokeWidth={1.5}
              vectorEffect="non-scaling-stroke"
            />
          </g>
        ))}
      </g>
    </svg>
  );
}
