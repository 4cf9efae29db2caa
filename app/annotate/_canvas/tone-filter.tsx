'use client';

import { type Editor, neutralTone, type Tone } from '@/lib/core/editor';
import { useEditor } from './use-editor';

const filterId = 'annotator-tone';

/** The CSS filter for a tone; none where it would change nothing, because a filter costs every frame. */
export function toneFilterOf({ brightness, contrast, gamma }: Tone): string {
  const isNeutral =
    brightness === neutralTone.brightness && contrast === neutralTone.contrast && gamma === neutralTone.gamma;
  return isNeutral ? '' : `url(#${filterId})`;
}

/** Points of the curve that a filter is given; between them it is straight. */
const STEPS = 32;

/** Brightness, contrast and gamma of the view as one curve, applied by the browser to the image layer only. */
export function ToneFilter({ editor }: { editor: Editor }) {
  const tone = useEditor(editor, (state) => state.view.tone);
  const table = curve(tone);
  return (
    <svg aria-hidden="true" className="absolute size-0">
      <filter id={filterId} colorInterpolationFilters="sRGB">
        <feComponentTransfer>
          <feFuncR type="table" tableValues={table} />
          <feFuncG type="table" tableValues={table} />
          <feFuncB type="table" tableValues={table} />
        </feComponentTransfer>
      </filter>
    </svg>
  );
}

function curve({ brightness, contrast, gamma }: Tone): string {
  return Array.from({ length: STEPS + 1 }, (_, i) => {
    const lifted = (i / STEPS) ** (1 / gamma);
    const value = (lifted - 0.5) * contrast + 0.5 + brightness;
    return Math.min(1, Math.max(0, value)).toFixed(4);
  }).join(' ');
}
