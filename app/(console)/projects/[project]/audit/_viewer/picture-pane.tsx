'use client';

import { Columns2, Maximize, ZoomIn } from 'lucide-react';
import { useMemo } from 'react';
import { cn } from '@/app/_ui/cn';
import { IconButton } from '@/app/_ui/icon-button';
import { Tooltip } from '@/app/_ui/tooltip';
import type { AuditLabel } from './audit-api';
import { closeUp, type LayerShape, layersOf, type Overlay, type View } from './layers';
import type { Look } from './use-look';

type PicturePaneProps = { label: AuditLabel; look: Look; onLook: (change: Partial<Look>) => void };

const choices: { overlay: Overlay; name: string; description: string; shortcut: string }[] = [
  { overlay: 'outline', name: 'Label', description: 'Outline of the label', shortcut: 'O' },
  { overlay: 'answers', name: 'Answers', description: 'Outlines of all answers', shortcut: 'E' },
  {
    overlay: 'difference',
    name: 'Difference',
    description: 'Where answers differ from the label',
    shortcut: 'D',
  },
  { overlay: 'votes', name: 'Votes', description: 'Where answers disagree, by entropy', shortcut: 'V' },
];

/** The picture with its overlay and the controls to select one. */
export function PicturePane({ label, look, onLook }: PicturePaneProps) {
  const { image, mask } = label;
  const layers = useMemo(() => layersOf(label, look.overlay), [label, look.overlay]);
  const view = useMemo(
    () =>
      look.isClose
        ? closeUp(mask, image.width, image.height)
        : { x: 0, y: 0, width: image.width, height: image.height },
    [look.isClose, mask, image.width, image.height],
  );
  const picture = { url: image.url, width: image.width, height: image.height, view };
  return (
    <div className="flex min-h-0 min-w-0 flex-1 flex-col">
      <div className="flex h-9 shrink-0 items-center gap-1 border-b border-line bg-surface px-2">
        {label.stage.kind !== 'attributes' && (
          <fieldset className="flex gap-0.5">
            <legend className="sr-only">Overlay</legend>
            {choices.map(({ overlay, name, description, shortcut }) => (
              <Tooltip key={overlay} text={description} shortcut={shortcut}>
                <button
                  type="button"
                  aria-pressed={look.overlay === overlay}
                  onClick={() => onLook({ overlay })}
                  className={cn(
                    'h-6 rounded-sm px-2 text-xs text-ink-2 hover:bg-hover',
                    look.overlay === overlay && 'bg-accent-soft font-medium text-accent hover:bg-accent-soft',
                  )}
                >
                  {name}
                </button>
              </Tooltip>
            ))}
          </fieldset>
        )}
        <Legend layers={layers} />
        <span className="flex-1" />
        <IconButton
          label="Side by side"
          shortcut="S"
          aria-pressed={look.isSideBySide}
          onClick={() => onLook({ isSideBySide: !look.isSideBySide })}
        >
          <Columns2 aria-hidden />
        </IconButton>
        <IconButton
          label={look.isClose ? 'Whole picture' : 'Close up of the mask'}
          shortcut="Z"
          aria-pressed={look.isClose}
          onClick={() => onLook({ isClose: !look.isClose })}
        >
          {look.isClose ? <Maximize aria-hidden /> : <ZoomIn aria-hidden />}
        </IconButton>
      </div>
      <div className="relative min-h-0 flex-1 bg-stage">
        <div className={cn('absolute inset-2 grid gap-2', look.isSideBySide ? 'grid-cols-2' : 'grid-cols-1')}>
          {look.isSideBySide && (
            <LabelPicture {...picture} alt={`${image.name} alone`} layers={[]} className="size-full" />
          )}
          <LabelPicture
            {...picture}
            alt={`${image.name} with the label`}
            layers={layers}
            isBare={look.isBare}
            className="size-full"
          />
        </div>
      </div>
    </div>
  );
}

/** Legend with one entry per name. */
function Legend({ layers }: { layers: readonly LayerShape[] }) {
  const named = layers.filter((layer, i) => layers.findIndex(({ name }) => name === layer.name) === i);
  if (named.length < 2) return null;
  return (
    <ul className="ml-3 flex min-w-0 flex-wrap gap-x-3 overflow-hidden text-xs text-ink-2">
      {named.slice(0, 5).map(({ id, name, colour }) => (
        <li key={id} className="flex items-center gap-1 whitespace-nowrap">
          <span aria-hidden className="size-2 rounded-full" style={{ background: colour }} />
          {name}
        </li>
      ))}
    </ul>
  );
}

type LabelPictureProps = {
  url: string;
  /** Empty if text next to the picture describes it. */
  alt: string;
  width: number;
  height: number;
  view: View;
  layers: readonly LayerShape[];
  /** Shows the picture without controls. */
  isBare?: boolean;
  className?: string;
};

/** Shows a picture, or a crop of it, with overlaid areas. */
export function LabelPicture({
  url,
  alt,
  width,
  height,
  view,
  layers,
  isBare,
  className,
}: LabelPictureProps) {
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
