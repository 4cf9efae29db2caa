'use client';

import { useFormatter, useTranslations } from 'next-intl';
import { useEffect, useState } from 'react';
import { type Editor, layerMask, layerOf, previewOf, vertexCount } from '@/lib/core/editor';
import { area } from '@/lib/core/mask';
import { useEditor } from './use-editor';

/** After the last change, in ms: the area of a large drawing is not worth counting while the hand moves. */
const PAUSE_MS = 120;

/** Area and vertices of what is drawn, and the vertices of the outline under the hand. */
export function Measures({ editor }: { editor: Editor }) {
  const t = useTranslations('canvas.measures');
  const format = useFormatter();
  const layer = useEditor(editor, ({ document, label }) => layerOf(document, label));
  const zoom = useEditor(editor, ({ view }) => view.camera.zoom);
  const unfinished = useEditor(editor, (state) => {
    const outline = previewOf(state).find(({ kind }) => kind === 'outline');
    return outline?.kind === 'outline' ? outline.points.length / 2 : 0;
  });
  const [pixels, setPixels] = useState(0);
  useEffect(() => {
    const timer = setTimeout(
      () => setPixels(layer ? area(layerMask(editor.state.document, layer)) : 0),
      PAUSE_MS,
    );
    return () => clearTimeout(timer);
  }, [editor, layer]);
  const vertices = (layer?.shapes ?? []).reduce((sum, { shape }) => sum + vertexCount(shape), 0);
  return (
    <span className="flex gap-3 tabular-nums">
      <span>{t('pixels', { count: pixels })}</span>
      <span>
        {t('points', { count: vertices })}
        {unfinished > 0 && ` + ${format.number(unfinished)}`}
      </span>
      <span>{format.number(zoom, { style: 'percent', maximumFractionDigits: 0 })}</span>
    </span>
  );
}
