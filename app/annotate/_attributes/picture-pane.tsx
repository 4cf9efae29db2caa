import { Maximize, Maximize2, Minimize2, ZoomIn, ZoomOut } from 'lucide-react';
import { useFormatter, useTranslations } from 'next-intl';
import { type RefObject, useState } from 'react';
import { Button } from '@/app/_ui/button';
import { cn } from '@/app/_ui/cn';
import { IconButton } from '@/app/_ui/icon-button';
import { ZOOM_STEP } from './picture-view';
import type { PictureControl } from './use-picture-view';

type Props = {
  pane: RefObject<HTMLDivElement | null>;
  control: PictureControl;
  url: string;
  alt: string;
  width: number;
  height: number;
};

/** The picture on neutral ground. It is never drawn on, so a plain element that the browser scales is enough. */
export function PicturePane({ pane, control, url, alt, width, height }: Props) {
  const t = useTranslations('form.picture');
  const format = useFormatter();
  const { camera, isFitted, pointers } = control;
  const [isBroken, setBroken] = useState(false);
  // Beside the form there is room for all of it; above the form it is small until somebody wants to look.
  const [isLarge, setLarge] = useState(false);
  return (
    <div
      className={cn(
        'relative min-h-0 overflow-hidden rounded-lg bg-stage lg:h-full',
        isLarge ? 'max-lg:h-[60dvh]' : 'max-lg:h-[26dvh]',
      )}
    >
      <div
        ref={pane}
        // Image coordinates run from left to right in every language.
        dir="ltr"
        {...pointers}
        className={cn('absolute inset-0 touch-none', !isFitted && 'cursor-grab active:cursor-grabbing')}
      >
        {/* biome-ignore lint/performance/noImgElement: a signed address of our own, shown at any zoom. */}
        <img
          src={url}
          alt={alt}
          draggable={false}
          onError={() => setBroken(true)}
          onLoad={() => setBroken(false)}
          className={cn(
            'absolute top-0 left-0 max-w-none origin-top-left select-none',
            !camera && 'size-full object-contain',
            isBroken && 'invisible',
          )}
          style={
            camera
              ? {
                  width,
                  height,
                  transform: `translate(${camera.panX}px, ${camera.panY}px) scale(${camera.zoom})`,
                }
              : undefined
          }
        />
        {isBroken && (
          <p role="alert" className="absolute inset-0 flex items-center justify-center p-6 text-center">
            {t('broken')}
          </p>
        )}
      </div>
      <Button
        aria-pressed={isLarge}
        className="absolute end-2 bottom-2 h-11 lg:hidden"
        icon={isLarge ? <Minimize2 aria-hidden /> : <Maximize2 aria-hidden />}
        onClick={() => setLarge(!isLarge)}
      >
        {isLarge ? t('smaller') : t('larger')}
      </Button>
      <div className="absolute start-2 bottom-2 flex items-center rounded-md border border-line bg-raised max-sm:hidden">
        <IconButton
          label={t('zoomOut')}
          shortcut="-"
          side="top"
          onClick={() => control.zoomBy(1 / ZOOM_STEP)}
        >
          <ZoomOut aria-hidden />
        </IconButton>
        <output aria-label={t('zoom')} className="w-14 text-center text-xs tabular-nums text-ink-2">
          {camera && format.number(camera.zoom, { style: 'percent', maximumFractionDigits: 0 })}
        </output>
        <IconButton label={t('zoomIn')} shortcut="+" side="top" onClick={() => control.zoomBy(ZOOM_STEP)}>
          <ZoomIn aria-hidden />
        </IconButton>
        <IconButton label={t('fit')} shortcut="F" side="top" onClick={control.fit}>
          <Maximize aria-hidden />
        </IconButton>
      </div>
    </div>
  );
}
