'use client';

import { Maximize, Minus, Plus } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { type PointerEvent, useEffect, useId, useMemo, useRef, useState } from 'react';
import { Button } from '@/app/_ui/button';
import { cn } from '@/app/_ui/cn';
import { area, decodeCounts, difference, intersection, outlinePath, rasterizeShapes } from '@/lib/core/mask';
import type { AnswerValue } from '@/lib/core/quality/answer';
import type { WorkItem } from './api';

type Region = 'correct' | 'missed' | 'extra';

/** Apart in hue and lightness; each region has a pattern of its own besides. */
const colours: Record<Region, string> = { correct: '#3fb6a8', missed: '#4f7dfa', extra: '#f08a24' };
const regions: readonly Region[] = ['correct', 'missed', 'extra'];

/** What of the right answer was drawn, what was missed, and what was drawn too much, in pixels of the image. */
export function compareMasks(
  { width, height }: { width: number; height: number },
  answer: AnswerValue,
  trusted: string | null,
) {
  const own = answer.kind === 'mask' ? rasterizeShapes(answer.shapes, height, width) : null;
  const right = trusted === null ? null : decodeCounts(trusted, height, width);
  const masks = {
    correct: own && right ? intersection(own, right) : null,
    missed: right && (own ? difference(right, own) : right),
    extra: own && (right ? difference(own, right) : own),
  };
  const areaOf = (region: Region) => (masks[region] ? area(masks[region]) : 0);
  const areas = { correct: areaOf('correct'), missed: areaOf('missed'), extra: areaOf('extra') };
  return { own, right, masks, areas };
}

interface DifferenceMapProps {
  item: WorkItem;
  answer: AnswerValue;
  /** The right mask as compressed COCO counts; null for nothing. */
  trusted: string | null;
}

/** The picture with the right, missed and excess regions, to zoom into by wheel, buttons and dragging. */
export function DifferenceMap({ item, answer, trusted }: DifferenceMapProps) {
  const t = useTranslations('practice');
  const patterns = useId();
  const { width, height, working } = item.image;
  const shown = useMemo(() => {
    const { masks, areas } = compareMasks({ width, height }, answer, trusted);
    return regions.flatMap((region) => {
      const mask = masks[region];
      return mask && areas[region] > 0 ? [{ region, path: outlinePath(mask) }] : [];
    });
  }, [width, height, answer, trusted]);
  const zoom = useZoom(width, height);
  // A screen pixel or so, in pixels of the image.
  const unit = Math.max(width, height) / 400 / zoom.scale;
  const text = (region: Region) => t(region);
  return (
    <figure className="flex flex-col gap-2">
      <div className="relative overflow-hidden rounded-md bg-stage">
        <svg
          role="img"
          aria-label={t('picture')}
          viewBox={zoom.view.join(' ')}
          ref={zoom.ref}
          // A finger scrolls the page past the whole picture, and moves a part of it.
          className={cn('max-h-[60vh] w-full select-none', zoom.scale === 1 ? 'touch-pan-y' : 'touch-none')}
          {...zoom.handlers}
        >
          <defs>
            {shown.map(({ region }) => (
              <Pattern key={region} id={`${patterns}-${region}`} region={region} unit={unit} />
            ))}
          </defs>
          <image href={working.url} width={width} height={height} preserveAspectRatio="none" />
          {shown.map(({ region, path }) => (
            <g key={region} data-region={region}>
              <path d={path} fill={colours[region]} fillOpacity={0.3} fillRule="evenodd" />
              <path
                d={path}
                fill={`url(#${patterns}-${region})`}
                fillRule="evenodd"
                stroke={colours[region]}
                strokeWidth={2}
                vectorEffect="non-scaling-stroke"
              />
            </g>
          ))}
        </svg>
        <div className="absolute end-2 top-2 flex gap-1">
          <Button
            aria-label={t('zoomIn')}
            title={t('zoomIn')}
            icon={<Plus aria-hidden />}
            onClick={zoom.zoomIn}
          />
          <Button
            aria-label={t('zoomOut')}
            title={t('zoomOut')}
            icon={<Minus aria-hidden />}
            onClick={zoom.zoomOut}
          />
          <Button
            aria-label={t('zoomReset')}
            title={t('zoomReset')}
            icon={<Maximize aria-hidden />}
            onClick={zoom.reset}
          />
        </div>
      </div>
      {shown.length > 0 && (
        <figcaption>
          <ul aria-label={t('legend')} className="flex flex-wrap gap-x-4 gap-y-1 text-sm">
            {shown.map(({ region }) => (
              <li key={region} className="flex items-center gap-1.5">
                <svg
                  aria-hidden="true"
                  viewBox="0 0 16 16"
                  className="size-4 rounded-sm border border-line-strong"
                >
                  <defs>
                    <Pattern id={`${patterns}-key-${region}`} region={region} unit={1} />
                  </defs>
                  <rect width="16" height="16" fill={colours[region]} fillOpacity={0.3} />
                  <rect width="16" height="16" fill={`url(#${patterns}-key-${region})`} />
                </svg>
                {text(region)}
              </li>
            ))}
          </ul>
        </figcaption>
      )}
    </figure>
  );
}

/** Plain for what is right, lines for what was missed, dots for what is too much. */
function Pattern({ id, region, unit }: { id: string; region: Region; unit: number }) {
  const size = 6 * unit;
  return (
    <pattern id={id} patternUnits="userSpaceOnUse" width={size} height={size}>
      {region === 'missed' && (
        <path d={`M0 ${size}L${size} 0`} stroke={colours.missed} strokeWidth={1.6 * unit} />
      )}
      {region === 'extra' && <circle cx={size / 2} cy={size / 2} r={1.5 * unit} fill={colours.extra} />}
    </pattern>
  );
}

const STEP = 1.5;
const MAX_SCALE = 16;

/** The part of the image that shows, as a view box. */
function useZoom(width: number, height: number) {
  const [state, setState] = useState({ scale: 1, x: 0, y: 0 });
  const drag = useRef<{ x: number; y: number } | null>(null);
  /** Keeps the view inside the image. */
  const moveTo = (scale: number, x: number, y: number) => {
    const kept = Math.min(MAX_SCALE, Math.max(1, scale));
    setState({
      scale: kept,
      x: Math.min(Math.max(0, x), width - width / kept),
      y: Math.min(Math.max(0, y), height - height / kept),
    });
  };
  /** Zooms around a point, given as shares of the view. */
  const zoomBy = (factor: number, [u, v]: readonly [number, number] = [0.5, 0.5]) => {
    const scale = Math.min(MAX_SCALE, Math.max(1, state.scale * factor));
    const shift = 1 / state.scale - 1 / scale;
    moveTo(scale, state.x + u * width * shift, state.y + v * height * shift);
  };
  const ref = useRef<SVGSVGElement>(null);
  const onWheel = useRef<(event: WheelEvent) => void>(undefined);
  onWheel.current = (event) => {
    const box = ref.current?.getBoundingClientRect();
    if (!box) return;
    event.preventDefault();
    const at = [(event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height] as const;
    zoomBy(event.deltaY < 0 ? STEP : 1 / STEP, at);
  };
  useEffect(() => {
    const element = ref.current;
    const listener = (event: WheelEvent) => onWheel.current?.(event);
    // React listens passively, which would scroll the page as well.
    element?.addEventListener('wheel', listener, { passive: false });
    return () => element?.removeEventListener('wheel', listener);
  }, []);
  return {
    ref,
    scale: state.scale,
    view: [state.x, state.y, width / state.scale, height / state.scale] as const,
    zoomIn: () => zoomBy(STEP),
    zoomOut: () => zoomBy(1 / STEP),
    reset: () => moveTo(1, 0, 0),
    handlers: {
      onPointerDown: (event: PointerEvent<SVGSVGElement>) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        drag.current = { x: event.clientX, y: event.clientY };
      },
      onPointerMove: (event: PointerEvent<SVGSVGElement>) => {
        const from = drag.current;
        if (!from) return;
        const perPixel = width / state.scale / event.currentTarget.getBoundingClientRect().width;
        drag.current = { x: event.clientX, y: event.clientY };
        moveTo(
          state.scale,
          state.x - (event.clientX - from.x) * perPixel,
          state.y - (event.clientY - from.y) * perPixel,
        );
      },
      onPointerUp: () => {
        drag.current = null;
      },
    },
  };
}
