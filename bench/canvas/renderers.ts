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
import { ringsOf, type SceneSpec, type Subject } from './scenes';

const VIEW = { width: 1000, height: 800 };

/** The annotator's own editor and painting, on Konva's layers, without the page around them. */
export function ourSubject(root: HTMLElement, spec: SceneSpec, image: ImagePyramid): Subject {
  const document = documentOf(spec);
  const fitted = fitImage(document, VIEW);
  const editor = new Editor({ document, view: { viewport: VIEW, camera: fitted } });
  const style = labelStyle(0);
  const painter = new FramePainter(editor, image, { styleOf: () => style }, root);
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

const NAMESPACE = 'http://www.w3.org/2000/svg';

/** The reference: one SVG element per shape, moved by the transform of their group, as many tools do it. */
export function svgSubject(root: HTMLElement, spec: SceneSpec, image: string): Subject {
  const svg = make('svg', { width: '1000', height: '800' });
  const group = make('g', {});
  group.append(make('image', { href: image, width: String(spec.width), height: String(spec.height) }));
  const rings = ringsOf(spec);
  const shapes = rings.map((ring) =>
    make('polygon', {
      points: ring.join(' '),
      fill: '#ffb000',
      'fill-opacity': '0.4',
      stroke: '#ffb000',
      'stroke-width': '1.5',
      'vector-effect': 'non-scaling-stroke',
    }),
  );
  const stroke = make('polyline', {
    fill: 'none',
    stroke: '#ffb000',
    'stroke-opacity': '0.4',
    'stroke-width': '20',
    'stroke-linecap': 'round',
    'stroke-linejoin': 'round',
  });
  group.append(...shapes, stroke);
  svg.append(group);
  root.append(svg);
  const fit = Math.min(1000 / spec.width, 800 / spec.height);
  const place = (x: number, y: number, zoom: number) =>
    group.setAttribute('transform', `translate(${x} ${y}) scale(${zoom})`);
  place(0, 0, fit);
  let painted = '';
  const paintTo = (x: number, y: number) => {
    painted += ` ${x / fit} ${y / fit}`;
    stroke.setAttribute('points', painted);
  };
  return {
    pan: (frame) => place(60 * Math.sin(frame / 9), 40 * Math.sin(frame / 7), fit),
    zoom: (frame) => {
      const factor = 1.6 + 0.6 * Math.sin(frame / 12);
      place(500 * (1 - factor), 400 * (1 - factor), fit * factor);
    },
    dragVertex: (frame) => {
      const ring = rings[0] as Float64Array;
      ring[0] = (ring[0] as number) + Math.sin(frame / 5);
      shapes[0]?.setAttribute('points', ring.join(' '));
    },
    paint: (frame) => paintTo(100 + 6 * frame, 400 + 80 * Math.sin(frame / 8)),
    rest: () => {
      painted = '';
      stroke.setAttribute('points', '');
    },
    listen: () =>
      root.addEventListener('pointermove', (event) => {
        if (event.buttons > 0) paintTo(event.clientX, event.clientY);
      }),
  };
}

function make(name: string, attributes: Record<string, string>): SVGElement {
  const element = document.createElementNS(NAMESPACE, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
}
