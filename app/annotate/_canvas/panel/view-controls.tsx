'use client';

import { Button } from '@/app/_ui/button';
import { Switch } from '@/app/_ui/forms/switch';
import {
  type Editor,
  MAX_BRUSH_RADIUS,
  MIN_BRUSH_RADIUS,
  neutralTone,
  type Tone,
  type ViewState,
} from '@/lib/annotator';
import { useEditor } from '../use-editor';
import { Slider } from './slider';

/** How the image is looked at, and how thick the brush is. Nothing here changes what is drawn. */
export function ViewControls({ editor }: { editor: Editor }) {
  const view = useEditor(editor, (state) => state.view);
  const settings = useEditor(editor, (state) => state.settings);
  const look = (change: Partial<ViewState>) => editor.dispatch({ type: 'view', view: change });
  const toned = (change: Partial<Tone>) => look({ tone: { ...view.tone, ...change } });
  return (
    <div className="grid gap-1">
      <Slider
        label="Brush"
        // The ear for sizes is logarithmic: equal steps are equal factors.
        value={Math.log(settings.brushRadius)}
        min={Math.log(MIN_BRUSH_RADIUS)}
        max={Math.log(MAX_BRUSH_RADIUS)}
        step={0.01}
        text={`${settings.brushRadius.toFixed(settings.brushRadius < 10 ? 1 : 0)} px`}
        onChange={(value) =>
          editor.dispatch({
            type: 'settings',
            settings: { brushRadius: Math.round(4 * Math.exp(value)) / 4 },
          })
        }
      />
      <Slider
        label="Fill"
        value={view.opacity}
        min={0}
        max={1}
        step={0.05}
        text={percent(view.opacity)}
        onChange={(opacity) => look({ opacity })}
      />
      <Slider
        label="Brightness"
        value={view.tone.brightness}
        min={-0.5}
        max={0.5}
        step={0.05}
        text={percent(view.tone.brightness)}
        onChange={(brightness) => toned({ brightness })}
      />
      <Slider
        label="Contrast"
        value={view.tone.contrast}
        min={0.5}
        max={3}
        step={0.05}
        text={percent(view.tone.contrast)}
        onChange={(contrast) => toned({ contrast })}
      />
      <Slider
        label="Gamma"
        value={view.tone.gamma}
        min={0.3}
        max={3}
        step={0.05}
        text={view.tone.gamma.toFixed(2)}
        onChange={(gamma) => toned({ gamma })}
      />
      <Button
        size="small"
        variant="quiet"
        className="justify-self-end"
        onClick={() => look({ tone: neutralTone })}
      >
        Reset the light
      </Button>
      <Switch
        label="Outlines only"
        checked={view.outlineOnly}
        onChange={() => look({ outlineOnly: !view.outlineOnly })}
      />
      <Switch
        label="Crosshair"
        checked={view.crosshair}
        onChange={() => look({ crosshair: !view.crosshair })}
      />
      <Switch
        label="Image without the drawing"
        checked={view.showBefore}
        onChange={() => look({ showBefore: !view.showBefore })}
      />
      <Switch
        label="Snap to borders"
        checked={settings.snapping}
        onChange={() => editor.dispatch({ type: 'settings', settings: { snapping: !settings.snapping } })}
      />
    </div>
  );
}

function percent(share: number): string {
  return `${Math.round(100 * share)} %`;
}
