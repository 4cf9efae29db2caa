import {
  type DrawnShape,
  instanceOf,
  type LabelLayer,
  ringsOf,
  shapeBounds,
  shapeMask,
  shapesByInstance,
} from '@/lib/core/editor';
import type { Box } from '@/lib/core/geometry';
import type { Buffer } from './buffer';
import { fillOf, instanceStyle, type LabelStyle } from './label-style';
import { isMuted, type Scene } from './scene';
import { fillPixels, fillShape, isHeavy, traceRing } from './trace';

/** Of outlines, in screen pixels; the dark seam around the bright line shows on any photograph. */
const LINE = 1.5;
const SEAM = 3.5;
const SEAM_COLOUR = 'rgb(0 0 0 / 55%)';
/** Share of the usual strength of what is not being drawn. */
const MUTED_FILL = 0.3;
const MUTED_LINE = 0.75;

/**
 * Paints one label, instance by instance; stops after each shape, so that the caller can spread the work over frames.
 */
export function* paintLayer(buffer: Buffer, scene: Scene, layer: LabelLayer): Generator<void> {
  for (const { instance, shapes: drawn } of shapesByInstance(layer)) {
    const shapes = drawn.filter(({ id, shape }) => !scene.lifted.has(id) && meets(shape, buffer.box));
    if (!isPolygonsOnly(shapes)) {
      yield* paintComposite(buffer, scene, shapes, { label: layer.label, instance });
      continue;
    }
    for (const one of shapes) {
      paintPolygon(buffer, scene, one, layer.label);
      yield;
    }
  }
}

/** A label of added polygons only can be painted on top of what is there, shape by shape. */
export function isPolygonsOnly(shapes: readonly DrawnShape[]): boolean {
  return shapes.every(({ shape }) => shape.kind === 'polygon' && shape.op === 'add' && !isHeavy(shape));
}

export function paintPolygon(buffer: Buffer, scene: Scene, { shape }: DrawnShape, label: string): void {
  if (shape.kind !== 'polygon') return;
  const style = instanceStyle(scene.styleOf(label), instanceOf(shape));
  const muted = isMuted(scene, label);
  if (!scene.outlineOnly) {
    buffer.place(buffer.fills);
    buffer.fills.fillStyle = fillOf(style);
    buffer.fills.globalAlpha = muted ? MUTED_FILL : 1;
    fillShape(buffer.fills, shape, buffer.pixel);
    buffer.fills.globalAlpha = 1;
  }
  const { outlines } = buffer;
  buffer.place(outlines);
  outlines.globalAlpha = muted ? MUTED_LINE : 1;
  outlines.beginPath();
  for (const ring of ringsOf(shape)) traceRing(outlines, ring, buffer.pixel);
  outlines.lineJoin = 'round';
  outlines.lineWidth = SEAM / scene.camera.zoom;
  outlines.strokeStyle = SEAM_COLOUR;
  outlines.stroke();
  outlines.lineWidth = LINE / scene.camera.zoom;
  outlines.strokeStyle = style.colour;
  outlines.stroke();
  outlines.globalAlpha = 1;
}

/** Strokes and erasures act on each other: they are painted aside, and their common edge is drawn. */
function* paintComposite(
  buffer: Buffer,
  scene: Scene,
  shapes: readonly DrawnShape[],
  { label, instance }: { label: string; instance: number },
): Generator<void> {
  const style = instanceStyle(scene.styleOf(label), instance);
  const muted = isMuted(scene, label);
  const area = buffer.scratch();
  buffer.place(area);
  area.fillStyle = style.colour;
  for (const { shape } of shapes) {
    area.globalCompositeOperation = shape.op === 'erase' ? 'destination-out' : 'source-over';
    const { height, width } = scene.document;
    if (isHeavy(shape)) fillPixels(area, shape, () => shapeMask(shape, height, width));
    else fillShape(area, shape, buffer.pixel);
    yield;
  }
  // The pattern once over all, so that it does not change from stroke to stroke.
  area.setTransform(1, 0, 0, 1, 0, 0);
  area.globalCompositeOperation = 'source-in';
  area.fillStyle = fillOf(style);
  area.fillRect(0, 0, area.canvas.width, area.canvas.height);
  buffer.outlines.globalAlpha = muted ? MUTED_LINE : 1;
  drawEdge(buffer, area, style);
  buffer.outlines.globalAlpha = 1;
  if (scene.outlineOnly) return;
  buffer.fills.setTransform(1, 0, 0, 1, 0, 0);
  buffer.fills.globalAlpha = muted ? MUTED_FILL : 1;
  buffer.fills.drawImage(area.canvas, 0, 0);
  buffer.fills.globalAlpha = 1;
}

/** The area grown by the width of the line, without the area. */
function drawEdge(buffer: Buffer, area: CanvasRenderingContext2D, style: LabelStyle): void {
  const edge = buffer.scratch();
  for (const [width, colour] of [
    [SEAM - LINE / 2, SEAM_COLOUR],
    [LINE, style.colour],
  ] as const) {
    const grown = buffer.scratch();
    for (const [dx, dy] of around) {
      const reach = width * buffer.density;
      grown.drawImage(area.canvas, Math.round(dx * reach), Math.round(dy * reach));
    }
    grown.globalCompositeOperation = 'source-in';
    grown.fillStyle = colour;
    grown.fillRect(0, 0, grown.canvas.width, grown.canvas.height);
    edge.drawImage(grown.canvas, 0, 0);
  }
  edge.globalCompositeOperation = 'destination-out';
  edge.drawImage(area.canvas, 0, 0);
  buffer.outlines.setTransform(1, 0, 0, 1, 0, 0);
  buffer.outlines.drawImage(edge.canvas, 0, 0);
}

const around = [
  [-1, 0],
  [1, 0],
  [0, -1],
  [0, 1],
  [-0.7, -0.7],
  [0.7, -0.7],
  [-0.7, 0.7],
  [0.7, 0.7],
] as const;

function meets(shape: DrawnShape['shape'], [left, top, width, height]: Box): boolean {
  const [x, y, w, h] = shapeBounds(shape);
  return x <= left + width && x + w >= left && y <= top + height && y + h >= top;
}
