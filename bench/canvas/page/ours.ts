import Konva from 'konva';
import { FramePainter } from '@/app/annotate/_canvas/frame-painter';
import type { ImagePyramid } from '@/app/annotate/_canvas/paint/image-pyramid';
import { labelStyle } from '@/app/annotate/_canvas/paint/label-style';
import { listenToPointers } from '@/app/annotate/_canvas/pointer-input';
import {
  type AnnotationDocument,
  Editor,
  emptyDocument,
  fitImage,
  type PointerInput,
} from '@/lib/core/editor';
import { ringsOf, type SceneSpec, type Subject } from '../scenes';

const VIEW = { width: 1000, height: 800 };

/** The annotator's own editor and painting, on Konva's layers, without the page around them. */
export function ourSubject(root: HTMLElement, spec: SceneSpec, image: ImagePyramid): Subject {
  const document = documentOf(spec);
  const fitted = fitImage(document, VIEW);
  const editor = new Editor({ document, view: { viewport: VIEW, camera: fitted } });
  const style = labelStyle(0);
  const painter = new FramePainter(editor, image, () => style, root);
  attach(painter, root);
  const send = (type: PointerInput['type'], x: number, y: number) =>
    editor.dispatch({
      type,
      pointerId: 1,
      pointer: 'mouse',
      x,
      y,
      button: 0,
      shift: false,
      time: performance.now(),
    });
  const grab = firstVertex(document, fitted);
  let isDown = false;
  const drag = (x: number, y: number) => {
    send(isDown ? 'pointer-move' : 'pointer-down', x, y);
    isDown = true;
  };
  return {
    pan: (frame) =>
      editor.dispatch({
        type: 'view',
        view: {
          camera: {
            ...fitted,
            panX: fitted.panX + 60 * Math.sin(frame / 9),
            panY: fitted.panY + 40 * Math.sin(frame / 7),
          },
        },
      }),
    zoom: (frame) => {
      const factor = 1.6 + 0.6 * Math.sin(frame / 12);
      const camera = {
        zoom: fitted.zoom * factor,
        panX: 500 - (500 - fitted.panX) * factor,
        panY: 400 - (400 - fitted.panY) * factor,
      };
      editor.dispatch({ type: 'view', view: { camera } });
    },
    dragVertex: (frame) => {
      if (!isDown) {
        editor.dispatch({ type: 'view', view: { camera: fitted } });
        editor.dispatch({ type: 'action', action: 'tool-vertex', time: 0 });
        editor.dispatch({ type: 'select', selection: { shapes: [1], vertices: [] } });
      }
      drag(grab[0] + 20 * Math.sin(frame / 5), grab[1] + (isDown ? 5 : 0));
    },
    paint: (frame) => {
      if (!isDown) editor.dispatch({ type: 'action', action: 'tool-brush', time: 0 });
      drag(100 + 6 * frame, 400 + 80 * Math.sin(frame / 8));
    },
    rest: () => {
      send('pointer-cancel', 0, 0);
      editor.dispatch({ type: 'action', action: 'cancel', time: 0 });
      isDown = false;
    },
    listen: () => {
      editor.dispatch({ type: 'action', action: 'tool-brush', time: 0 });
      listenToPointers(root, editor);
    },
  };
}

function documentOf(spec: SceneSpec): AnnotationDocument {
  const rings = ringsOf(spec);
  const shapes = rings.map((outer, i) => ({
    id: i + 1,
    shape: { kind: 'polygon', op: 'add', outer, holes: [] } as const,
  }));
  return {
    ...emptyDocument(spec.height, spec.width, ['part']),
    layers: [{ label: 'part', nothing: false, shapes }],
    nextId: rings.length + 1,
  };
}

function firstVertex(
  document: AnnotationDocument,
  { zoom, panX, panY }: ReturnType<typeof fitImage>,
): [number, number] {
  const shape = document.layers[0]?.shapes[0]?.shape;
  const [x = 0, y = 0] = shape?.kind === 'polygon' ? Array.from(shape.outer) : [];
  return [x * zoom + panX, y * zoom + panY];
}

function attach(painter: FramePainter, root: HTMLElement): void {
  const container = document.createElement('div');
  root.append(container);
  const stage = new Konva.Stage({ container, ...VIEW, listening: false });
  const layerOf = (paint: (context: CanvasRenderingContext2D) => void) => {
    const layer = new Konva.Layer({ listening: false });
    layer.add(
      new Konva.Shape({ sceneFunc: (context) => paint(context._context), perfectDrawEnabled: false }),
    );
    stage.add(layer);
    return layer;
  };
  painter.attach({
    image: layerOf((context) => painter.paintImage(context)),
    shapes: layerOf((context) => painter.paintShapes(context)),
    live: layerOf((context) => painter.paintLive(context)),
  });
}
