'use client';

import { type PointerEvent, useId } from 'react';
import { type Area, BottomAxis, LeftAxis } from '@/app/_ui/charts/axes';
import { ChartFrame } from '@/app/_ui/charts/chart-frame';
import { binValues, linearAxis } from '@/lib/core/charts';
import { formatNumber } from '@/lib/core/format';

const WIDTH = 320;
const HEIGHT = 190;
const area: Area = { left: 28, right: WIDTH - 8, top: 26, bottom: HEIGHT - 24 };
const x = linearAxis([0, 1], [area.left, area.right], { count: 5, exact: true });
const BINS = 20;
/** A bar in whole hundredths can be said and remembered. */
const STEP = 0.01;

interface BarHistogramProps {
  title: string;
  values: number[];
  /** Left out: nothing is decided by this number. */
  bar?: number;
  onBar?: (bar: number) => void;
}

const rounded = (value: number) => Math.min(1, Math.max(0, Math.round(value / STEP) * STEP));

/** How a score is spread over those who sat an exam, with a bar that can be dragged or moved by its slider. */
export function BarHistogram({ title, values, bar, onBar }: BarHistogramProps) {
  const id = useId();
  const bins = binValues(values, { count: BINS, domain: [0, 1] });
  const top = Math.max(1, ...bins.map((bin) => bin.count));
  // People are whole: no line between one and two.
  const y = linearAxis([0, top], [area.bottom, area.top], { count: Math.min(4, top) });
  const drag = (event: PointerEvent<SVGRectElement>) => {
    const box = event.currentTarget.getBoundingClientRect();
    onBar?.(rounded((event.clientX - box.left) / box.width));
  };
  return (
    <div className="flex w-80 max-w-full flex-col gap-1">
      <ChartFrame
        title={title}
        note={`n = ${formatNumber(values.length)}`}
        width={WIDTH}
        height={HEIGHT}
        table={{
          head: ['From', 'To', 'Exams'],
          rows: bins.map((bin) => [
            { text: formatNumber(bin.from, 2), value: bin.from },
            { text: formatNumber(bin.to, 2), value: bin.to },
            { text: formatNumber(bin.count), value: bin.count },
          ]),
        }}
      >
        <LeftAxis axis={y} area={area} title="Exams" />
        {bins.map((bin) => (
          <rect
            key={bin.from}
            x={x.at(bin.from) + 0.5}
            y={y.at(bin.count)}
            width={Math.max(0.5, x.at(bin.to) - x.at(bin.from) - 1)}
            height={area.bottom - y.at(bin.count)}
            fill="var(--color-series-1)"
            fillOpacity={0.85}
          >
            <title>{`${formatNumber(bin.from, 2)} to ${formatNumber(bin.to, 2)}: ${formatNumber(bin.count)}`}</title>
          </rect>
        ))}
        <BottomAxis axis={x} area={area} />
        {bar !== undefined && (
          <g>
            <rect
              x={area.left}
              y={area.top}
              width={x.at(bar) - area.left}
              height={area.bottom - area.top}
              fill="var(--color-surface)"
              fillOpacity={0.7}
            />
            <line
              x1={x.at(bar)}
              x2={x.at(bar)}
              y1={area.top - 6}
              y2={area.bottom}
              stroke="var(--color-ink)"
              strokeWidth={2}
            />
            <text x={x.at(bar)} y={area.top - 12} textAnchor="middle" fill="var(--color-ink)">
              {formatNumber(bar, 2)}
            </text>
            <rect
              data-drag-bar
              x={area.left}
              y={area.top - 10}
              width={area.right - area.left}
              height={area.bottom - area.top + 10}
              fill="transparent"
              className="cursor-ew-resize touch-none"
              onPointerDown={(event) => {
                event.currentTarget.setPointerCapture(event.pointerId);
                drag(event);
              }}
              onPointerMove={(event) => event.buttons > 0 && drag(event)}
            />
          </g>
        )}
      </ChartFrame>
      {bar !== undefined && (
        <label htmlFor={id} className="flex flex-col gap-0.5 text-xs text-ink-2">
          <span>
            Bar for {title.charAt(0).toLowerCase() + title.slice(1)}:{' '}
            <output htmlFor={id}>{formatNumber(bar, 2)}</output>
          </span>
          <input
            id={id}
            type="range"
            min={0}
            max={1}
            step={STEP}
            value={bar}
            disabled={!onBar}
            onChange={(event) => onBar?.(rounded(event.target.valueAsNumber))}
            // As wide as the plot, so that its handle stands under the line.
            className="mr-1 ml-5 min-w-0"
          />
        </label>
      )}
    </div>
  );
}
