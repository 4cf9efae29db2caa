'use client';

import type Konva from 'konva';
import { useTranslations } from 'next-intl';
import { useEffect, useMemo, useRef, useState } from 'react';
import { Layer, Shape, Stage } from 'react-konva';
import { type Camera, type Editor, fitImage, homeCamera } from '@/lib/core/editor';
import type { Ring } from '@/lib/core/geometry';
import { FramePainter } from './frame-painter';
import { listenToKeys } from './key-input';
import type { ImagePyramid } from './paint/image-pyramid';
import type { LabelStyle } from './paint/label-style';
import { listenToPointers } from './pointer-input';
import { ToneFilter } from './tone-filter';
import { useEditor } from './use-editor';

interface AnnotationCanvasProps {
  editor: Editor;
  image: ImagePyramid;
  styleOf: (label: string) => LabelStyle;
  /** The outline of the object that a label belongs to, if the image shows several. */
  objectOf?: (label: string) => readonly Ring[];
  describedBy: string;
}

/** The image with the drawing on it. The layers are Konva's; what is on them is painted by FramePainter. */
export function AnnotationCanvas({ editor, image, styleOf, objectOf, describedBy }: AnnotationCanvasProps) {
  const t = useTranslations('canvas');
  const region = useRef<HTMLDivElement>(null);
  const [painter, setPainter] = useState<FramePainter>();
  const viewport = useEditor(editor, (state) => state.view.viewport);

  useFittedView(region, editor);
  useEffect(() => {
    const element = region.current;
    if (!element) return;
    const stopPointers = listenToPointers(element, editor);
    const stopKeys = listenToKeys(element, editor);
    const made = new FramePainter(editor, image, { styleOf, objectOf }, element);
    setPainter(made);
    return () => {
      stopPointers();
      stopKeys();
      made.dispose();
    };
  }, [editor, image, styleOf, objectOf]);

  return (
    <div
      ref={region}
      role="application"
      aria-label={t('name')}
      aria-describedby={describedBy}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the canvas is worked by keyboard.
      tabIndex={0}
      // Image coordinates run from left to right in every language.
      dir="ltr"
      className="absolute inset-0 touch-none overflow-hidden select-none focus-visible:outline-offset-[-2px]"
    >
      <ToneFilter editor={editor} />
      {painter && <Layers painter={painter} width={viewport.width} height={viewport.height} />}
    </div>
  );
}

interface LayersProps {
  painter: FramePainter;
  width: number;
  height: number;
}

function Layers({ painter, width, height }: LayersProps) {
  const image = useRef<Konva.Layer>(null);
  const shapes = useRef<Konva.Layer>(null);
  const live = useRef<Konva.Layer>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another size clears the canvases.
  useEffect(() => {
    if (!image.current || !shapes.current || !live.current) return;
    painter.attach({ image: image.current, shapes: shapes.current, live: live.current });
  }, [painter, width, height]);
  const paint = useMemo(
    () => ({
      image: (context: Konva.Context) => painter.paintImage(context._context),
      shapes: (context: Konva.Context) => painter.paintShapes(context._context),
      live: (context: Konva.Context) => painter.paintLive(context._context),
    }),
    [painter],
  );
  return (
    <Stage width={width} height={height} listening={false}>
      <Layer ref={image} listening={false}>
        <Shape sceneFunc={paint.image} perfectDrawEnabled={false} />
      </Layer>
      <Layer ref={shapes} listening={false}>
        <Shape sceneFunc={paint.shapes} perfectDrawEnabled={false} />
      </Layer>
      <Layer ref={live} listening={false}>
        <Shape sceneFunc={paint.live} perfectDrawEnabled={false} />
      </Layer>
    </Stage>
  );
}

const isSameCamera = (a: Camera, b: Camera): boolean =>
  a.zoom === b.zoom && a.panX === b.panX && a.panY === b.panY;

/** Tells the editor the size of the view; the image is fitted at first, and again while nobody has moved it. */
function useFittedView(region: React.RefObject<HTMLDivElement | null>, editor: Editor): void {
  useEffect(() => {
    const element = region.current;
    if (!element) return;
    // Before anybody has looked at the image it is fitted; so is one that was left as it was fitted.
    let fitted = homeCamera;
    const measure = () => {
      const viewport = { width: element.clientWidth, height: element.clientHeight };
      if (viewport.width === 0 || viewport.height === 0) return;
      const { camera: now } = editor.state.view;
      const fit = fitImage(editor.state.document, viewport);
      const isUntouched = isSameCamera(now, fitted) || isSameCamera(now, fit);
      const camera = isUntouched ? fit : now;
      if (isUntouched) fitted = fit;
      editor.dispatch({ type: 'view', view: { viewport, camera } });
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [region, editor]);
}
