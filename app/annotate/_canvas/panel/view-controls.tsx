'use client';

import { useFormatter, useTranslations } from 'next-intl';
import { Button } from '@/app/_ui/button';
import { Switch } from '@/app/_ui/forms/controls';
import {
  type Editor,
  MAX_BRUSH_RADIUS,
  MIN_BRUSH_RADIUS,
  neutralTone,
  type Tone,
  type ViewState,
} from '@/lib/core/editor';
import { useEditor } from '../use-editor';
import { Slider } from './slider';

/** How the image is looked at, and how thick the brush is. Nothing here changes what is drawn. */
export function ViewControls({ editor }: { editor: Editor }) {
  const t = useTranslations('canvas.view');
  const format = useFormatter();
  const percent = (share: number) => format.number(share, { style: 'percent', maximumFractionDigits: 0 });
  // One by one, because the camera is part of the view too and changes with every frame of a pan.
  const opacity = useEditor(editor, (state) => state.view.opacity);
  const tone = useEditor(editor, (state) => state.view.tone);
  const outlineOnly = useEditor(editor, (state) => state.view.outlineOnly);
  const crosshair = useEditor(editor, (state) => state.view.crosshair);
  const showBefore = useEditor(editor, (state) => state.view.showBefore);
  const settings = useEditor(editor, (state) => state.settings);
  const look = (change: Partial<ViewState>) => editor.dispatch({ type: 'view', view: change });
  const toned = (change: Partial<Tone>) => look({ tone: { ...tone, ...change } });
  return (
    <div className="grid gap-1">
      <Slider
        label={t('brush')}
        // Equal steps are equal factors.
        value={Math.log(settings.brushRadius)}
        min={Math.log(MIN_BRUSH_RADIUS)}
        max={Math.log(MAX_BRUSH_RADIUS)}
        step={0.01}
        text={t('pixels', {
          radius: format.number(settings.brushRadius, {
            maximumFractionDigits: settings.brushRadius < 10 ? 1 : 0,
          }),
        })}
        onChange={(value) =>
          editor.dispatch({
            type: 'settings',
            settings: { brushRadius: Math.round(4 * Math.exp(value)) / 4 },
          })
        }
      />
      <Slider
        label={t('fill')}
        value={opacity}
        min={0}
        max={1}
        step={0.05}
        text={percent(opacity)}
        onChange={(value) => look({ opacity: value })}
      />
      <Slider
        label={t('brightness')}
        value={tone.brightness}
        min={-0.5}
        max={0.5}
        step={0.05}
        text={percent(tone.brightness)}
        onChange={(brightness) => toned({ brightness })}
      />
      <Slider
        label={t('contrast')}
        value={tone.contrast}
        min={0.5}
        max={3}
        step={0.05}
        text={percent(tone.contrast)}
        onChange={(contrast) => toned({ contrast })}
      />
      <Slider
        label={t('gamma')}
        value={tone.gamma}
        min={0.3}
        max={3}
        step={0.05}
        text={format.number(tone.gamma, { minimumFractionDigits: 2, maximumFractionDigits: 2 })}
        onChange={(gamma) => toned({ gamma })}
      />
      <Button
        size="small"
        variant="quiet"
        className="justify-self-end"
        onClick={() => look({ tone: neutralTone })}
      >
        {t('reset')}
      </Button>
      <Switch
        label={t('outlinesOnly')}
        checked={outlineOnly}
        onChange={() => look({ outlineOnly: !outlineOnly })}
      />
      <Switch label={t('crosshair')} checked={crosshair} onChange={() => look({ crosshair: !crosshair })} />
      <Switch
        label={t('withoutDrawing')}
        checked={showBefore}
        onChange={() => look({ showBefore: !showBefore })}
      />
      <Switch
        label={t('snap')}
        checked={settings.snapping}
        onChange={() => editor.dispatch({ type: 'settings', settings: { snapping: !settings.snapping } })}
      />
    </div>
  );
}
